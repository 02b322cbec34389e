//! Stdin and stdout as a transport that never mixes up calls and that notices the end.
//!
//! Hosts use the id of a cancelled call again at once, and responses are matched by id alone: what is left
//! of the old call could answer the new one. So every request gets a number of its own on the way in and
//! its own id back on the way out; the response to a cancelled request finds no id and is not sent.
//!
//! A line that is no JSON is answered with a parse error, so that no host waits for what cannot come; as
//! the protocol has no null for an id, neither this nor the answer to what is no request has one.

use rmcp::model::{ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::async_rw::{AsyncRwTransport, DEFAULT_MAX_LINE_LENGTH};
use rmcp::transport::{StdioReader, StdioWriter, Transport, stdio_pipes};
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

type Sending = Pin<Box<dyn Future<Output = Result<(), io::Error>> + Send>>;

/// Stdin and stdout.
pub(super) struct Stdio {
    inner: AsyncRwTransport<RoleServer, Watched<StdioReader>, StdioWriter>,
    ids: Ids,
    /// What is wrong with lines that are no JSON.
    broken: UnboundedReceiver<String>,
    /// The answer to one of them that is on its way: whoever waits for the next message may stop.
    sending: Option<Sending>,
    /// Cancelled when stdin has ended.
    ended: CancellationToken,
}

impl Stdio {
    pub(super) fn new(ended: CancellationToken) -> Self {
        let (reader, writer) = stdio_pipes();
        let (report, broken) = unbounded_channel();
        Stdio {
            inner: AsyncRwTransport::new(Watched::new(reader, report), writer),
            ids: Ids::default(),
            broken,
            sending: None,
            ended,
        }
    }

    /// Returns the next message; answers the lines before it that are no JSON.
    async fn next(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(sending) = &mut self.sending {
                // Who does not listen is found out by the next answer.
                let _ = sending.await;
                self.sending = None;
            }
            let fault = tokio::select! {
                biased;
                Some(fault) = self.broken.recv() => fault,
                message = self.inner.receive() => match message {
                    Some(message) => return Some(message),
                    None => {
                        self.ended.cancel();
                        self.broken.try_recv().ok()?
                    }
                },
            };
            let error = JsonRpcMessage::error(ErrorData::parse_error(fault, None), None);
            self.sending = Some(Box::pin(self.inner.send(error)));
        }
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(
        &mut self,
        mut message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let id = match &mut message {
            JsonRpcMessage::Response(response) => Some(&mut response.id),
            JsonRpcMessage::Error(error) => error.id.as_mut(),
            _ => None,
        };
        let is_wanted = id.is_none_or(|id| self.ids.leave(id));
        let sending = is_wanted.then(|| self.inner.send(message));
        async {
            match sending {
                Some(sending) => sending.await,
                None => Ok(()),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let mut message = self.next().await?;
        match &mut message {
            JsonRpcMessage::Request(request) => self.ids.enter(&mut request.id),
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &mut notification.notification
                    && let Some(id) = &mut cancelled.params.request_id
                {
                    self.ids.cancel(id);
                }
            }
            _ => {}
        }
        Some(message)
    }

    fn close(&mut self) -> impl Future<Output = Result<(), io::Error>> + Send {
        self.inner.close()
    }
}

/// A reader that says which of the lines that pass are no JSON.
struct Watched<R> {
    inner: R,
    /// The line that is passing.
    line: Vec<u8>,
    /// Whether the line is longer than [`DEFAULT_MAX_LINE_LENGTH`]; such lines are dropped unread.
    is_too_long: bool,
    report: UnboundedSender<String>,
}

impl<R> Watched<R> {
    fn new(inner: R, report: UnboundedSender<String>) -> Self {
        Watched {
            inner,
            line: Vec::new(),
            is_too_long: false,
            report,
        }
    }

    fn pass(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            if self.line.len() + piece.len() > DEFAULT_MAX_LINE_LENGTH {
                self.is_too_long = true;
                self.line.clear();
            }
            if !self.is_too_long {
                self.line.extend_from_slice(piece);
            }
            if !piece.ends_with(b"\n") {
                continue;
            }
            if !self.is_too_long
                && let Some(fault) = fault(&self.line)
            {
                // Nobody listens any more when the session is over.
                let _ = self.report.send(fault);
            }
            self.line.clear();
            self.is_too_long = false;
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        self.pass(buffer.filled().get(before..).unwrap_or_default());
        Poll::Ready(Ok(()))
    }
}

/// Returns why `line` is no JSON; a blank line is no message at all.
fn fault(line: &[u8]) -> Option<String> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if line.trim_ascii().is_empty() {
        return None;
    }
    let error = serde_json::from_slice::<Value>(line).err()?;
    Some(format!("the line is no JSON: {error}"))
}

/// The ids of requests that have no response yet, by the number they got.
#[derive(Debug, Default)]
struct Ids {
    open: BTreeMap<i64, RequestId>,
    last: i64,
}

impl Ids {
    /// Puts a new number in the place of the id of a request.
    fn enter(&mut self, id: &mut RequestId) {
        self.last += 1;
        let id = std::mem::replace(id, RequestId::Number(self.last));
        self.open.insert(self.last, id);
    }

    /// Puts the id back in the place of the number; `false` when the request was cancelled.
    fn leave(&mut self, id: &mut RequestId) -> bool {
        let RequestId::Number(number) = id else {
            return false;
        };
        self.open.remove(number).map(|own| *id = own).is_some()
    }

    /// Puts the number in the place of the id of the newest request that has it, and forgets it.
    fn cancel(&mut self, id: &mut RequestId) {
        let newest = self.open.iter().rev().find(|(_, own)| *own == id);
        if let Some(number) = newest.map(|(number, _)| *number) {
            self.open.remove(&number);
            *id = RequestId::Number(number);
        } else {
            // Not a request that waits: no number that will ever be given.
            *id = RequestId::Number(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_no_json_are_noticed_however_they_arrive() {
        let text = b"{\"a\":1}\nnot json\n\n \r\n[1,\n\xef\xbb\xbf{}\n{\"b\":\"\xff\"}\nunfinished";
        for size in 1..=text.len() {
            let (report, mut broken) = unbounded_channel();
            let mut watched = Watched::new((), report);
            text.chunks(size).for_each(|piece| watched.pass(piece));
            let faults: Vec<String> = std::iter::from_fn(|| broken.try_recv().ok()).collect();
            assert_eq!(faults.len(), 3, "{faults:?}");
        }
    }

    #[test]
    fn a_cancelled_id_used_again_belongs_to_the_new_request() {
        let own = || RequestId::String("a".into());
        let mut ids = Ids::default();
        let (mut first, mut second, mut cancelled) = (own(), own(), own());
        ids.enter(&mut first);
        ids.cancel(&mut cancelled);
        assert_eq!(cancelled, first);
        ids.enter(&mut second);
        assert_ne!(first, second);
        assert!(!ids.leave(&mut first));
        assert!(ids.leave(&mut second));
        assert_eq!(second, own());
        let mut unknown = RequestId::Number(1);
        ids.cancel(&mut unknown);
        assert_eq!(unknown, RequestId::Number(0));
    }
}
