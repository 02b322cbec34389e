//! Questions over small views, end to end.

mod corpus;
mod finding;
mod patterns;
mod ranking;
mod reading;
