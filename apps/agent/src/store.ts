import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { bytesOf, textOf } from '@linekeeper/oscam/bytes.ts';
import type { SaidByFile, Spelling } from './row-records.ts';
import { isSameRecord, type RecordChange, type RowFacts, RowRecords } from './row-records.ts';
import { openSql, type Sql } from './sql.ts';

export type Account = {
  username: string;
  // The password in plain text, as both card servers need it in their files.
  password: string;
  /** YYYY-MM-DD; the account is valid through this day. */
  expiry_date: string;
};

type Changes = Partial<Omit<Account, 'username'>>;

/**
 * The line of an account, by the panel's id, and the rights of its plan. A change without rights
 * keeps the earlier ones.
 */
type OfLine = { line?: string | undefined; rights?: SaidByFile | undefined };

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS accounts (
    username TEXT PRIMARY KEY,
    password TEXT NOT NULL,
    expiry_date TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
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
 * Opens a database that only the agent's user can read, regardless of the umask, because it contains passwords. An
 * existing file is opened by SQLite only: closing another descriptor of it would drop this process's POSIX locks.
 */
export function openPrivately(path: string): DatabaseSync {
  if (existsSync(path)) chmodSync(path, 0o600);
  else closeSync(openSync(path, 'ax', 0o600));
  return new DatabaseSync(path);
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

export class Store {
  readonly db: DatabaseSync;
  readonly rows: RowRecords;
  /** The instance is created with the accounts: a different id means different accounts. */
  readonly instance: string;
  readonly #sql: Sql;

  constructor(path: string) {
    this.db = openDatabase(path);
    this.#sql = openSql(this.db);
    this.rows = new RowRecords(this.db);
    this.instance = String(this.#sql.get`SELECT id FROM instance`?.id);
  }

  find(username: string): Account | undefined {
    const found = this.#sql
      .get`SELECT username, password, expiry_date FROM accounts WHERE username = ${username}`;
    return found as Account | undefined;
  }

  has(username: string): boolean {
    return this.find(username) !== undefined;
  }

  count(): number {
    return Number(this.#sql.get`SELECT count(*) AS count FROM accounts`?.count);
  }

  listAfter(username: string, limit: number): Omit<Account, 'password'>[] {
    const found = this.#sql
      .all`SELECT username, expiry_date FROM accounts WHERE username > ${username} ORDER BY username LIMIT ${limit}`;
    return found as Omit<Account, 'password'>[];
  }

  /** All accounts, ordered by name. */
  accounts(): Account[] {
    const found = this.#sql
      .all`SELECT username, password, expiry_date FROM accounts ORDER BY username`;
    return found as Account[];
  }

  /** Deleted names whose rows may still be in a file. */
  departed(): string[] {
    const found = this.#sql
      .all`SELECT DISTINCT username FROM rows WHERE owned = 1 AND username NOT IN (SELECT username FROM accounts)`;
    return found.map(({ username }) => String(username));
  }

  /** Adds an account; false if the name exists already. */
  add(account: Account, ofLine: OfLine = {}): boolean {
    return this.#inTransaction(() => this.#begin(account, ofLine));
  }

  /** Changes an account. Returns false if the account does not exist. */
  edit(username: string, changes: Changes, { line, rights }: OfLine = {}): boolean {
    return this.#inTransaction(() => {
      const before = this.find(username)?.password;
      if (before === undefined) return false;
      const { password = before } = changes;
      if (password !== before) this.rows.addPassword(username, bytesOf(before));
      this.rows.setLine(line, username);
      if (rights) this.#say(username, rights);
      this.#update(username, changes);
      return true;
    });
  }

  /** Deletes an account. Returns false if the account does not exist. */
  remove(username: string): boolean {
    return this.#inTransaction(() => {
      const account = this.find(username);
      if (!account) return false;
      this.#sql.run`DELETE FROM accounts WHERE username = ${username}`;
      this.rows.end(username, account.password);
      return true;
    });
  }

  /** Makes the operator's rows the agent's, with their other settings. */
  takeOver(
    account: Account & OfLine,
    found: { file: string; rest: string; spelling: Spelling }[],
  ): void {
    this.#inTransaction(() => {
      const { username, line, rights = {} } = account;
      if (!this.#begin(account, { line })) {
        this.#update(username, account);
        this.rows.setLine(line, username);
      }
      for (const { file, ...kept } of found) {
        this.rows.set(file, username, { owned: true, granted: undefined, said: {}, ...kept });
      }
      this.#say(username, rights);
    });
  }

  /** Stores facts before a file is replaced, because the rows may not exist afterwards. */
  storeFacts(file: string, facts: RowFacts): void {
    if (facts.rows.size + facts.passwords.length === 0) return;
    this.#inTransaction(() => this.rows.storeFacts(file, facts));
  }

  /** Records the rows of a written file. Names that were sold again in the meantime wait for the next write. */
  recordRows(file: string, ours: Map<string, RecordChange>): void {
    const changed = [...ours].filter(([name, { known, record }]) => {
      return isSameRecord(this.rows.of(file, name), known) && !isSameRecord(known, record);
    });
    if (changed.length === 0) return;
    this.#inTransaction(() => {
      for (const [name, { record }] of changed) this.rows.set(file, textOf(name), record);
    });
  }

  /** Deletes the records of deleted names, whose rows are no longer in the files. */
  forgetDeparted(departed: string[]): void {
    const gone = departed.filter((username) => !this.has(username));
    if (gone.length === 0) return;
    this.#inTransaction(() => {
      for (const username of gone) this.rows.disown(username);
    });
  }

  /**
   * Stores the known state of the files that the agent is about to replace, so that it knows them after a kill. Before
   * each rename, it stores the new state in addition to the old one, because a kill may come before or after the
   * rename: `current` is the file that has the name until then.
   */
  saveReplaced(file: string, current: string, made: string, state: string): void {
    // A write without a sync survives a kill, which is all that is needed: a sync would cost each
    // change as much as storing it.
    this.db.exec('PRAGMA synchronous = NORMAL');
    try {
      this.#inTransaction(() => {
        this.#sql.run`DELETE FROM left_behind WHERE file = ${file} AND made <> ${current}`;
        this.#sql.run`
          INSERT INTO left_behind VALUES (${file}, ${made}, ${state})
            ON CONFLICT DO UPDATE SET state = excluded.state`;
      });
    } finally {
      this.db.exec('PRAGMA synchronous = FULL');
    }
  }

  /** The state that was stored with this file, or else the last one. */
  findReplaced(file: string, current: string): string | undefined {
    const found = this.#sql
      .get`SELECT state FROM left_behind WHERE file = ${file} ORDER BY made = ${current} DESC, rowid DESC LIMIT 1`;
    return found?.state as string | undefined;
  }

  close(): void {
    this.db.close();
  }

  #inTransaction<T>(work: () => T): T {
    this.db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      this.rows.reload();
      throw error;
    }
  }

  #begin({ username, password, expiry_date }: Account, { line, rights = {} }: OfLine): boolean {
    const { changes } = this.#sql
      .run`INSERT INTO accounts (username, password, expiry_date) VALUES (${username}, ${password}, ${expiry_date}) ON CONFLICT DO NOTHING`;
    if (changes !== 1) return false;
    this.rows.begin(username, password, line);
    // A line that returns keeps no settings of an earlier plan.
    this.#say(username, rights);
    return true;
  }

  #say(username: string, rights: SaidByFile): void {
    if (!this.rows.say(username, rights)) return;
    // The update changes nothing in the account, but a trigger notes that the card server has to read it.
    this.#sql.run`UPDATE accounts SET username = username WHERE username = ${username}`;
  }

  #update(username: string, changes: Changes): void {
    const { password = null, expiry_date = null } = changes;
    this.#sql.run`
      UPDATE accounts SET password = coalesce(${password}, password),
        expiry_date = coalesce(${expiry_date}, expiry_date) WHERE username = ${username}`;
  }
}
