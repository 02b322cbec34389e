//! Asking: validated query in, answer out. Synchronous and pure over a view.

pub mod answer;
pub mod request;
