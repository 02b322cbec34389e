//! Tables, pragmas and the way a connection is opened.
//!
//! Every table of bytes has one shape, `(page INTEGER PRIMARY KEY, data BLOB)`: a stream cut into
//! pieces of [`super::pages::PIECE`] bytes, each of which fills one SQLite page. Beside them, `key`
//! says where in a stream a block of sorted keys begins and with which key, and `meta` holds counts
//! and the length of each stream.
//!
//! A file is foreign input: its header is checked before SQLite sees it, its schema must be this one
//! to the letter, and the connection can do nothing but read.

use crate::error::FormatError;
use crate::version::{self, FormatVersion, WRITE};
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// `LTK1`.
const APPLICATION_ID: u32 = 0x4C54_4B31;

pub(super) const PAGE_SIZE: u64 = 4096;

/// The streams of bytes; the order is the order of creation, and `code` what `key` rows say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stream {
    Files,
    Dictionary,
    Facts,
    Chunks,
    Words,
    PathWords,
    SymbolNames,
    ReferenceNames,
    Grams,
    Skipped,
    Hidden,
    Text,
}

/// One half of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    Core,
    Text,
}

/// The statements of one stream.
pub(super) struct StreamSql {
    pub(super) name: &'static str,
    create: &'static str,
    pub(super) insert: &'static str,
    pub(super) select: &'static str,
}

macro_rules! stream_sql {
    ($name:literal) => {
        &StreamSql {
            name: $name,
            create: concat!(
                "CREATE TABLE ",
                $name,
                " (page INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT"
            ),
            insert: concat!("INSERT INTO ", $name, " (page, data) VALUES (?1, ?2)"),
            select: concat!(
                "SELECT page, data FROM ",
                $name,
                " WHERE page BETWEEN ?1 AND ?2 ORDER BY page"
            ),
        }
    };
}

impl Stream {
    pub(super) fn sql(self) -> &'static StreamSql {
        match self {
            Stream::Files => stream_sql!("files"),
            Stream::Dictionary => stream_sql!("dictionary"),
            Stream::Facts => stream_sql!("facts"),
            Stream::Chunks => stream_sql!("chunks"),
            Stream::Words => stream_sql!("words"),
            Stream::PathWords => stream_sql!("path_words"),
            Stream::SymbolNames => stream_sql!("symbol_names"),
            Stream::ReferenceNames => stream_sql!("reference_names"),
            Stream::Grams => stream_sql!("grams"),
            Stream::Skipped => stream_sql!("skipped"),
            Stream::Hidden => stream_sql!("hidden"),
            Stream::Text => stream_sql!("text"),
        }
    }

    /// Returns the number that stands for the stream in `key`.
    pub(super) fn code(self) -> i64 {
        self as i64
    }
}

impl Half {
    pub(super) fn streams(self) -> &'static [Stream] {
        match self {
            Half::Core => &[
                Stream::Files,
                Stream::Dictionary,
                Stream::Facts,
                Stream::Chunks,
                Stream::Words,
                Stream::PathWords,
                Stream::SymbolNames,
                Stream::ReferenceNames,
                Stream::Grams,
                Stream::Skipped,
                Stream::Hidden,
            ],
            Half::Text => &[Stream::Text],
        }
    }

    /// Returns the statements that create the tables, which are also what `sqlite_schema` must say.
    fn tables(self) -> Vec<(&'static str, &'static str)> {
        let mut tables = vec![("meta", CREATE_META)];
        if self == Half::Core {
            tables.push(("key", CREATE_KEY));
        }
        tables.extend(self.streams().iter().map(|stream| {
            let sql = stream.sql();
            (sql.name, sql.create)
        }));
        tables
    }
}

const CREATE_META: &str =
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID";
const CREATE_KEY: &str = "CREATE TABLE key (stream INTEGER, first BLOB, start INTEGER NOT NULL, \
    PRIMARY KEY (stream, first)) STRICT, WITHOUT ROWID";

pub(super) const INSERT_META: &str = "INSERT INTO meta (name, value) VALUES (?1, ?2)";
pub(super) const SELECT_META: &str = "SELECT name, value FROM meta ORDER BY name LIMIT ?1";
pub(super) const INSERT_KEY: &str = "INSERT INTO key (stream, first, start) VALUES (?1, ?2, ?3)";
/// The block that may hold a key: the last that does not begin after it.
pub(super) const SELECT_BLOCK: &str =
    "SELECT start FROM key WHERE stream = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1";
/// The blocks after that one.
pub(super) const SELECT_BLOCKS: &str =
    "SELECT start FROM key WHERE stream = ?1 AND first > ?2 ORDER BY first";

/// Opens a new scratch database at `path` with the tables of `half` and one open transaction.
pub(super) fn create(path: &Path, half: Half) -> Result<Connection, FormatError> {
    let run = || -> rusqlite::Result<Connection> {
        let conn = Connection::open_with_flags(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE
                | OpenFlags::SQLITE_OPEN_CREATE
                | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        conn.execute_batch(&format!(
            "PRAGMA page_size = {PAGE_SIZE}; PRAGMA auto_vacuum = NONE; PRAGMA encoding = 'UTF-8'; \
             PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; \
             PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; \
             PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {}; BEGIN",
            user_version(WRITE)
        ))?;
        for (_, create) in half.tables() {
            conn.execute_batch(create)?;
        }
        conn.set_prepared_statement_cache_capacity(32);
        Ok(conn)
    };
    run().map_err(sql("create", path))
}

/// Ends the transaction of `conn` and writes its content to the new file `into`, page by page in
/// canonical order.
pub(super) fn compact(conn: Connection, into: &Path) -> Result<(), FormatError> {
    let name = into.to_str().ok_or_else(|| FormatError::Io {
        action: "write",
        path: into.into(),
        source: std::io::Error::new(
            std::io::ErrorKind::InvalidInput,
            "the path of the snapshot directory is not UTF-8",
        ),
    })?;
    conn.execute_batch("COMMIT")
        .and_then(|()| conn.execute("VACUUM INTO ?1", [name]))
        .map_err(sql("write", into))?;
    conn.close().map_err(|(_, source)| FormatError::Sql {
        action: "close",
        path: into.into(),
        source,
    })
}

/// Opens the sealed file at `path` for reading, after everything about it but its content was checked.
pub(super) fn open(path: &Path, half: Half) -> Result<Connection, FormatError> {
    check_header(path)?;
    let fail = |source| match source {
        rusqlite::Error::SqliteFailure(error, _)
            if matches!(
                error.code,
                rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase
            ) =>
        {
            corrupt(path)("not a sound database")
        }
        source => sql("open", path)(source),
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let mut conn = Connection::open_with_flags(uri(path)?, flags).map_err(fail)?;
    harden(&conn).map_err(fail)?;
    let found = schema(&conn).map_err(fail)?;
    let expected = half.tables();
    let same = found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, (name, create))| {
            found.0 == "table" && found.1 == name && found.2 == name && found.3 == create
        });
    if !same {
        return Err(corrupt(path)("its tables are not those of a segment"));
    }
    conn.authorizer(Some(only_reading)).map_err(fail)?;
    conn.set_prepared_statement_cache_capacity(32);
    Ok(conn)
}

fn only_reading(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Read { .. } => Authorization::Allow,
        _ => Authorization::Deny,
    }
}

fn harden(conn: &Connection) -> rusqlite::Result<()> {
    for (config, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE, false),
        (DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
    ] {
        conn.set_db_config(config, on)?;
    }
    for (limit, most) in [
        (Limit::SQLITE_LIMIT_LENGTH, 1 << 20),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 64 << 10),
        (Limit::SQLITE_LIMIT_COLUMN, 64),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 64),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 4),
        (Limit::SQLITE_LIMIT_VDBE_OP, 100_000),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 256),
        (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 1024),
        (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        conn.set_limit(limit, most)?;
    }
    // No memory map: pieces are read once and in order, a map measured no faster, and without it a file
    // that shrinks under the reader is an error instead of a signal.
    conn.execute_batch(
        "PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; \
         PRAGMA temp_store = MEMORY; PRAGMA cache_size = -2048; PRAGMA mmap_size = 0",
    )
}

type SchemaRow = (String, String, String, String);

fn schema(conn: &Connection) -> rusqlite::Result<Vec<SchemaRow>> {
    let mut statement = conn.prepare(
        "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY rowid LIMIT 64",
    )?;
    let rows = statement.query_map([], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    })?;
    rows.collect()
}

/// Returns `path` as a URI that asks for nothing but reading and no side files.
fn uri(path: &Path) -> Result<String, FormatError> {
    let path = std::path::absolute(path).map_err(|source| FormatError::Io {
        action: "open",
        path: path.into(),
        source,
    })?;
    let mut uri = String::from("file:");
    if !path.as_os_str().as_encoded_bytes().starts_with(b"/") {
        uri.push('/');
    }
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b':' => {
                uri.push(char::from(*byte));
            }
            b'\\' if cfg!(windows) => uri.push('/'),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri.push_str("?mode=ro&immutable=1");
    Ok(uri)
}

fn user_version(version: FormatVersion) -> u32 {
    version.major * 1000 + version.minor
}

/// Checks the size and the first bytes of the file at `path`.
fn check_header(path: &Path) -> Result<(), FormatError> {
    let io = |source| FormatError::Io {
        action: "read",
        path: path.into(),
        source,
    };
    let mut file = File::open(path).map_err(io)?;
    let size = file.metadata().map_err(io)?.len();
    let mut header = Vec::with_capacity(100);
    file.by_ref()
        .take(100)
        .read_to_end(&mut header)
        .map_err(io)?;
    let refuse = |reason| Err(corrupt(path)(reason));
    let Ok(header) = <[u8; 100]>::try_from(header) else {
        return refuse("shorter than a header");
    };
    let at = |at: usize| {
        u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
    };
    if &header[..16] != b"SQLite format 3\0" || at(68) != APPLICATION_ID {
        return refuse("not a segment");
    }
    let found = at(60);
    version::check_readable(
        path,
        FormatVersion {
            major: found / 1000,
            minor: found % 1000,
        },
    )?;
    if u64::from(header[16]) << 8 | u64::from(header[17]) != PAGE_SIZE {
        return refuse("unexpected page size");
    }
    // Rollback journal, no reserved space, fixed fractions.
    if header[18..24] != [1, 1, 0, 64, 32, 32] {
        return refuse("unexpected journal mode or layout");
    }
    if u64::from(at(28)) * PAGE_SIZE != size {
        return refuse("its size is not what its header says");
    }
    // No free pages, schema format 4, no auto-vacuum, UTF-8, no incremental vacuum.
    if [at(32), at(36), at(44), at(52), at(56), at(64)] != [0, 0, 4, 0, 1, 0] {
        return refuse("not a sealed file");
    }
    Ok(())
}

/// Returns a function that makes an SQL error of `action` on `path`.
pub(super) fn sql(action: &'static str, path: &Path) -> impl Fn(rusqlite::Error) -> FormatError {
    move |source| FormatError::Sql {
        action,
        path: path.into(),
        source,
    }
}

/// Returns a function that says what is wrong with the file at `path`.
pub(super) fn corrupt(path: &Path) -> impl Fn(&str) -> FormatError {
    move |reason| FormatError::Corrupt {
        path: path.into(),
        reason: reason.into(),
    }
}
