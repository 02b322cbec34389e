//! Stdin and stdout as a transport that never mixes up calls and that notices the end.
//!
//! Hosts use the id of a cancelled call again at once, and responses are matched by id alone: what is left
//! of the old call could answer the new one. So every request gets a number of its own on the way in and
//! its own id back on the way out; the response to a cancelled request finds no id and is not sent.

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::{StdioReader, StdioWriter, Transport, stdio_pipes};
use std::collections::BTreeMap;
use std::io;
use tokio_util::sync::CancellationToken;

/// Stdin and stdout.
pub(super) struct Stdio {
    inner: AsyncRwTransport<RoleServer, StdioReader, StdioWriter>,
    ids: Ids,
    /// Cancelled when stdin has ended.
    ended: CancellationToken,
}

impl Stdio {
    pub(super) fn new(ended: CancellationToken) -> Self {
        let (reader, writer) = stdio_pipes();
        Stdio {
            inner: AsyncRwTransport::new(reader, writer),
            ids: Ids::default(),
            ended,
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
        let Some(mut message) = self.inner.receive().await else {
            self.ended.cancel();
            return None;
        };
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
