//! Questions over small views, end to end.

mod corpus;
mod finding;
mod guiding;
mod listing;
mod patterns;
mod presenting;
mod ranking;
mod reading;
