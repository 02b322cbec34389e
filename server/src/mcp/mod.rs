//! Serving an MCP host over stdin and stdout.
//!
//! Not here: answering (see `service`), wire types (see `api`). Both protocol eras are served; nothing
//! but protocol frames goes to stdout. `initialize`, `server/discover` and `tools/list` never touch the
//! index: it is built in the background, and a call that has to wait for it waits a bounded time. The end
//! of stdin ends the process at once, whatever is being built.

mod handler;
mod roots;
mod tools;
mod transport;

use crate::cli::args::ResultForm;
use crate::error::Error;
use crate::settings::{Environment, SourceChoice};
use handler::Handler;
use leantoken_shared::tokens::Tokenizer;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use transport::Stdio;

/// How the server was started.
#[derive(Debug)]
pub struct Options {
    /// What the command line says about where to answer from.
    pub choice: SourceChoice,
    /// What the environment says.
    pub environment: Environment,
    /// What tool results hold.
    pub result: ResultForm,
    /// How tokens are counted.
    pub tokenizer: Tokenizer,
}

/// Serves until stdin ends.
///
/// # Errors
/// The runtime cannot start, or the peer does not speak the protocol.
pub fn serve(options: Options) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Error::Internal(format!("cannot start the runtime: {error}")))?;
    let served = runtime.block_on(run(options));
    // Threads that still build or answer must not hold the process.
    runtime.shutdown_timeout(Duration::ZERO);
    served
}

async fn run(options: Options) -> Result<(), Error> {
    let handler = Arc::new(Handler::new(options));
    let ended = CancellationToken::new();
    let transport = Stdio::new(ended.clone());
    handler.warm();
    let waiters = Arc::clone(&handler);
    tokio::spawn(async move {
        ended.cancelled().await;
        waiters.close();
    });
    match handler.serve(transport).await {
        Ok(running) => match running.waiting().await {
            Ok(_) => Ok(()),
            Err(error) => Err(Error::Internal(error.to_string())),
        },
        // A host that looks and leaves is no fault.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
            Ok(())
        }
        Err(error) => Err(Error::Request {
            field: "stdin".into(),
            message: format!("the peer does not speak the protocol: {error}"),
            allowed: String::new(),
            suggestion: serde_json::Value::Null,
        }),
    }
}
