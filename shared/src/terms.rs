//! Words, split the way programmers write them.
