import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { bytesOf, textOf } from '@linekeeper/oscam/bytes.ts';
import { isSameRecord, openRowRecords, type RecordChange, type RowFacts } from './row-records.ts';
import type { Spelling } from './spelling.ts';

export type Account = {
  username: string;
  // In plain text, as both card servers need it in their files.
  password: string;
  /** YYYY-MM-DD; the account is valid through this day. */
  expiry_date: string;
};

type Changes = { password?: string; expiry_date?: string };

export type Snapshot = {
  accounts: Account[];
  /** Deleted names that may still be in a rendered file. */
  departed: string[];
  departedThrough: number;
};

export type Store = ReturnType<typeof openStore>;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS accounts (
    username TEXT PRIMARY KEY,
    password TEXT NOT NULL,
    expiry_date TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS departed (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    username TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS instance (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    id TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS left_behind (
    file TEXT NOT NULL,
    -- Device and number of the file that took the place, which is known before it is put there.
    made TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (file, made)
  ) STRICT;
`;

/**
 * Opens a database that only the agent's user can read, whatever the umask, because it holds
 * passwords. An existing file is opened by SQLite only: closing another descriptor of it would drop
 * this process's POSIX locks.
 */
export function openPrivately(path: string): DatabaseSync {
  if (existsSync(path)) chmodSync(path, 0o600);
  else closeSync(openSync(path, 'ax', 0o600));
  return new DatabaseSync(path);
}

/** The tables of accounts and of deletions; what changes both runs in a transaction of the caller's. */
function openAccounts(db: DatabaseSync) {
  const insert = db.prepare(
    'INSERT INTO accounts (username, password, expiry_date) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const update = db.prepare(
    `UPDATE accounts SET password = coalesce(?, password), expiry_date = coalesce(?, expiry_date)
      WHERE username = ?`,
  );
  const erase = db.prepare('DELETE FROM accounts WHERE username = ?');
  const depart = db.prepare('INSERT INTO departed (username) VALUES (?)');
  const find = db.prepare(
    'SELECT username, password, expiry_date FROM accounts WHERE username = ?',
  );
  const list = db.prepare('SELECT username, password, expiry_date FROM accounts ORDER BY username');
  const count = db.prepare('SELECT count(*) AS count FROM accounts');
  const listAfter = db.prepare(
    'SELECT username, expiry_date FROM accounts WHERE username > ? ORDER BY username LIMIT ?',
  );
  const listDeparted = db.prepare('SELECT id, username FROM departed ORDER BY id');
  const forget = db.prepare('DELETE FROM departed WHERE id <= ?');

  return {
    has: (username: string): boolean => find.get(username) !== undefined,

    find: (username: string) => find.get(username) as Account | undefined,

    count: (): number => Number(count.get()?.count),

    add({ username, password, expiry_date }: Account): boolean {
      return insert.run(username, password, expiry_date).changes === 1;
    },

    update(username: string, { password, expiry_date }: Changes): boolean {
      return update.run(password ?? null, expiry_date ?? null, username).changes === 1;
    },

    remove(username: string): void {
      erase.run(username);
      depart.run(username);
    },

    /** Up to `limit` accounts with names after `username`, ordered by name. */
    listAfter(username: string, limit: number): Omit<Account, 'password'>[] {
      return listAfter.all(username, limit) as Omit<Account, 'password'>[];
    },

    snapshot(): Snapshot {
      const departed = listDeparted.all() as { id: number; username: string }[];
      return {
        accounts: list.all() as Account[],
        departed: departed.map(({ username }) => username),
        departedThrough: departed.at(-1)?.id ?? 0,
      };
    },

    forgetDeparted: (through: number): void => void forget.run(through),
  };
}

/**
 * The known state of the files that the agent has replaced, for its next start after a kill. The state is stored
 * before each rename, beside the state before it, because a kill may come before or after the rename.
 */
function openReplacedFileRecords(db: DatabaseSync) {
  const clear = db.prepare('DELETE FROM left_behind WHERE file = ? AND made <> ?');
  const put = db.prepare(
    'INSERT INTO left_behind VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET state = excluded.state',
  );
  const find = db.prepare(
    'SELECT state FROM left_behind WHERE file = ? ORDER BY made = ? DESC, rowid DESC LIMIT 1',
  );

  return {
    /** `current` is the file that has the name until the rename. */
    save(file: string, current: string, made: string, state: string): void {
      // Written data survives a kill, which is all that is needed: a sync would cost each change as much as storing
      // it.
      db.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE');
      try {
        clear.run(file, current);
        put.run(file, made, state);
        db.exec('COMMIT');
      } finally {
        if (db.isTransaction) db.exec('ROLLBACK');
        db.exec('PRAGMA synchronous = FULL');
      }
    },

    /** The state that was stored with this file, else the last one. */
    of(file: string, current: string): string | undefined {
      const state = find.get(file, current)?.state;
      return state === undefined ? undefined : String(state);
    },
  };
}

function openDatabase(path: string): DatabaseSync {
  const db = openPrivately(path);
  // EXCLUSIVE keeps other processes out, including readers, until this one ends. FULL syncs each
  // commit to disk, so that acknowledged changes survive a power failure.
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;');
    db.exec('PRAGMA synchronous = FULL;');
    db.exec(SCHEMA);
    // The instance is stored in the database of the accounts, so that both are lost together.
    db.prepare('INSERT INTO instance VALUES (1, ?) ON CONFLICT DO NOTHING').run(randomUUID());
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

export function openStore(path: string) {
  const db = openDatabase(path);
  const accounts = openAccounts(db);
  const rows = openRowRecords(db);

  function inTransaction<T>(work: () => T): T {
    db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      db.exec('COMMIT');
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      rows.reload();
      throw error;
    }
  }

  function begin(account: Account, line?: string, formerly?: string): boolean {
    if (!accounts.add(account)) return false;
    rows.begin(account.username, account.password, line, formerly);
    return true;
  }

  return {
    db,

    /** The instance is created with the accounts: a different id means different accounts. */
    instance: String(db.prepare('SELECT id FROM instance').get()?.id),

    has: accounts.has,
    find: accounts.find,
    count: accounts.count,
    listAfter: accounts.listAfter,
    snapshot: accounts.snapshot,
    rowOf: rows.of,
    nameOfLine: rows.lines.nameOf,
    lineOf: rows.lines.of,
    isOfAnother: rows.lines.isOfAnother,
    hadPassword: rows.passwords.has,
    hadPasswordEarlier: rows.passwords.isEarlier,
    grants: rows.grants.of,
    useGrant: rows.grants.use,
    leftBehind: openReplacedFileRecords(db),

    /** False if the name is taken. `formerly` is the line's earlier name. */
    add: (account: Account, line?: string, formerly?: string): boolean =>
      inTransaction(() => begin(account, line, formerly)),

    /** False if the account does not exist. */
    edit(username: string, changes: Changes, line?: string): boolean {
      return inTransaction(() => {
        const before = accounts.find(username)?.password;
        if (before === undefined) return false;
        const { password = before } = changes;
        if (password !== before) rows.passwords.add(username, bytesOf(before));
        if (line !== undefined) rows.lines.set(line, username);
        return accounts.update(username, changes);
      });
    },

    /** False if the account does not exist. */
    remove(username: string): boolean {
      return inTransaction(() => {
        const account = accounts.find(username);
        if (account) {
          accounts.remove(username);
          rows.end(username, account.password);
        }
        return account !== undefined;
      });
    },

    /** Makes rows of the operator's the agent's, with their settings beside the account. */
    takeOver(
      account: Account & { line?: string | undefined },
      found: { file: string; rest: string; spelling: Spelling }[],
    ): void {
      inTransaction(() => {
        const { username, line } = account;
        if (!begin(account, line)) {
          accounts.update(username, account);
          if (line !== undefined) rows.lines.set(line, username);
        }
        for (const { file, ...kept } of found) {
          rows.set(file, username, { owned: true, granted: undefined, ...kept });
        }
      });
    },

    /** Stores facts before a file is replaced, because they may be gone afterwards. */
    storeFacts(file: string, facts: RowFacts): void {
      if (facts.rows.size + facts.passwords.length > 0)
        inTransaction(() => rows.storeFacts(file, facts));
    },

    /** Records the rows of a written file. Names that were sold again in the meantime wait for the next write. */
    recordRows(file: string, ours: Map<string, RecordChange>): void {
      const changed = [...ours].filter(([name, { known, record }]) => {
        if (rows.of(file, name) !== known) return false;
        return !known?.owned || !isSameRecord(known, record);
      });
      if (changed.length === 0) return;
      inTransaction(() => {
        for (const [name, { record }] of changed) rows.set(file, textOf(name), record);
      });
    },

    /** Forgets deleted names, whose rows are out of the files. */
    forgetDeparted({ departed, departedThrough }: Snapshot): void {
      inTransaction(() => {
        for (const username of departed) if (!accounts.has(username)) rows.disown(username);
        accounts.forgetDeparted(departedThrough);
      });
    },

    /** Forgets earlier settings, once the card server has read files without them. */
    forgetGrants: rows.grants.forgetAllBut,

    close(): void {
      db.close();
    },
  };
}
