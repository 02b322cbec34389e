//! Serving an MCP host over stdin and stdout.
//!
//! Not here: answering (see `service`), wire types (see `api`). Both protocol eras are served; nothing
//! but protocol frames goes to stdout. `initialize`, `server/discover` and `tools/list` never touch the
//! index: it is built in the background, and a call that has to wait for it waits a bounded time. The end
//! of stdin ends the process at once, whatever is being built.

mod handler;
mod roots;
mod tools;

use crate::cli::args::ResultForm;
use crate::error::Error;
use crate::settings::{Environment, SourceChoice};
use handler::Handler;
use leantoken_shared::tokens::Tokenizer;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio_pipes;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

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
    let (reader, writer) = stdio_pipes();
    let reader = Watched {
        inner: reader,
        ended: ended.clone(),
    };
    handler.warm();
    let waiters = Arc::clone(&handler);
    tokio::spawn(async move {
        ended.cancelled().await;
        waiters.close();
    });
    match handler.serve((reader, writer)).await {
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

/// Input that tells when it has ended.
struct Watched<R> {
    inner: R,
    ended: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(context, buffer);
        let is_end = buffer.filled().len() == before && buffer.remaining() > 0;
        match &polled {
            Poll::Ready(Ok(())) if is_end => self.ended.cancel(),
            Poll::Ready(Err(_)) => self.ended.cancel(),
            _ => {}
        }
        polled
    }
}
