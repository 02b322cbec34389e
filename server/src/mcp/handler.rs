//! The server side of the protocol: tool list and calls. No logic of its own.

use super::{Options, roots, tools};
use crate::api::request::{Defaults, Request};
use crate::cli::args::ResultForm;
use crate::error::Error;
use crate::form::{Form, Serialized};
use crate::query::deadline::Deadline;
use crate::query::error::QueryError;
use crate::service::pool::Pool;
use crate::service::{Limits, Service};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    DiscoverResult, Implementation, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ProgressToken, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, Peer, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// Ceilings of an answer when the call names none: the smallest cap of the hosts in use.
const MAX_TOKENS: u32 = 2000;
const MAX_BYTES: u32 = 7500;

/// How long a tool list may be kept, in milliseconds: it changes with the program only.
const LIST_TTL_MS: u64 = 3_600_000;

/// How often a waiting caller hears how far a build is.
const PROGRESS_EVERY: Duration = Duration::from_millis(500);

/// One session with one host.
#[derive(Debug)]
pub(super) struct Handler {
    options: Options,
    tools: Vec<Tool>,
    pool: OnceLock<Arc<Pool>>,
    /// Held while the root is looked for, so that it is looked for once.
    resolving: Mutex<()>,
}

impl Handler {
    pub(super) fn new(options: Options) -> Self {
        Handler {
            tools: tools::catalogue(options.result != ResultForm::Text),
            options,
            pool: OnceLock::new(),
            resolving: Mutex::new(()),
        }
    }

    /// Begins with what calls are going to need: the vocabulary, and the index where the root is known
    /// without asking the client.
    pub(super) fn warm(&self) {
        let tokenizer = self.options.tokenizer;
        tokio::task::spawn_blocking(move || tokenizer.warm());
        let Options {
            choice,
            environment,
            ..
        } = &self.options;
        if roots::is_named(choice, environment)
            && let Ok(source) = crate::settings::resolve(choice, environment)
        {
            self.open(source);
        }
    }

    /// Ends every wait.
    pub(super) fn close(&self) {
        if let Some(pool) = self.pool.get() {
            pool.service().close();
        }
    }

    fn open(&self, source: crate::settings::Source) -> Arc<Pool> {
        let pool = self.pool.get_or_init(|| {
            let service = Arc::new(Service::new(source, Limits::default()));
            service.warm();
            Arc::new(Pool::new(service))
        });
        Arc::clone(pool)
    }

    async fn pool(&self, peer: &Peer<RoleServer>) -> Result<Arc<Pool>, Error> {
        if let Some(pool) = self.pool.get() {
            return Ok(Arc::clone(pool));
        }
        let _one = self.resolving.lock().await;
        if let Some(pool) = self.pool.get() {
            return Ok(Arc::clone(pool));
        }
        let Options {
            choice,
            environment,
            ..
        } = &self.options;
        let source = roots::resolve(choice, environment, peer).await?;
        Ok(self.open(source))
    }

    fn form(&self) -> (Form, Defaults) {
        let form = match self.options.result {
            ResultForm::Text => Form::Text,
            ResultForm::Structured => Form::Structured,
            ResultForm::Dual => Form::Dual,
        };
        let defaults = Defaults {
            max_tokens: Some(MAX_TOKENS),
            max_bytes: MAX_BYTES,
            tokenizer: self.options.tokenizer,
        };
        (form, defaults)
    }

    async fn answer(
        &self,
        request: Request,
        context: &RequestContext<RoleServer>,
    ) -> Result<Serialized, Error> {
        let pool = self.pool(&context.peer).await?;
        let limits = *pool.service().limits();
        let time = limits.first_build_wait + limits.query_time;
        let deadline = Deadline::new(Instant::now().checked_add(time));
        let work = pool.ask(request, self.form(), deadline.clone());
        tokio::pin!(work);
        let token = context.meta.get_progress_token();
        let mut tick = tokio::time::interval(PROGRESS_EVERY);
        loop {
            tokio::select! {
                biased;
                () = context.ct.cancelled() => {
                    deadline.cancel();
                    return Err(QueryError::Cancelled.into());
                }
                done = &mut work => return done,
                _ = tick.tick(), if token.is_some() => {
                    report(pool.service(), token.as_ref(), &context.peer).await;
                }
            }
        }
    }
}

/// Tells the client how far the build is that its call waits for.
async fn report(service: &Service, token: Option<&ProgressToken>, peer: &Peer<RoleServer>) {
    let (Some(token), Some(progress)) = (token, service.progress()) else {
        return;
    };
    if progress.total == 0 {
        return;
    }
    let message = format!("building the index: {} %", progress.percent());
    let param = ProgressNotificationParam::new(token.clone(), progress.done as f64)
        .with_total(progress.total as f64)
        .with_message(message);
    // A client that does not listen loses nothing but the message.
    let _ = peer.notify_progress(param).await;
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(
                Implementation::new("leantoken", env!("CARGO_PKG_VERSION")).with_title("LeanToken"),
            )
            .with_instructions(tools::INSTRUCTIONS)
    }

    async fn discover(
        &self,
        _context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        Ok(DiscoverResult::from_server_info(versions, self.get_info())
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        // The client may be asked from now on. What is wrong with the root is said in calls.
        let _ = self.pool(&context.peer).await;
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone())
            .with_ttl_ms(LIST_TTL_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = call.arguments.unwrap_or_default();
        let Some(request) = tools::request(&call.name, arguments.clone()) else {
            let message = format!("unknown tool '{}'; tools: {}", call.name, tools::names());
            return Err(ErrorData::invalid_params(message, None));
        };
        let answered = match request {
            Ok(request) => self.answer(request, &context).await,
            Err(error) => Err(error),
        };
        let result = match answered {
            Ok(answer) => success(answer),
            Err(error) => {
                let text = tools::error_text(&error, &call.name, &arguments, self.form().1);
                CallToolResult::error(vec![ContentBlock::text(text)])
            }
        };
        Ok(result.into())
    }
}

fn success(answer: Serialized) -> CallToolResult {
    let text = answer.text.map(ContentBlock::text);
    let mut result = CallToolResult::success(text.into_iter().collect());
    result.structured_content = answer.document;
    result
}
