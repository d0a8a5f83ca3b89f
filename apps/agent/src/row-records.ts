import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import {
  bytesOf,
  encoded,
  encodingOf,
  isAscii,
  respelled,
  textOf,
} from '@linekeeper/oscam/bytes.ts';
import { openSql, type Sql } from './sql.ts';

/**
 * The encodings of name and password in a row, which may differ. Receivers send the bytes with which they were set up,
 * so a row that comes back has its former bytes. Undefined for a part in ASCII, which is the same in all encodings.
 */
export type Spelling = { name?: string | undefined; password?: string | undefined };

export const UNSEEN: Spelling = {};

const UTF8 = 'utf-8';

export function shownBy(bytes: string | undefined, text: string | undefined): string | undefined {
  if (bytes === undefined || text === undefined || isAscii(bytes)) return undefined;
  return bytes === bytesOf(text) ? UTF8 : encodingOf(bytes, text);
}

function isSameSpelling(one: Spelling, other: Spelling): boolean {
  return one.name === other.name && one.password === other.password;
}

type Words = { username: string; password: string };

/** Name and password as bytes. A part without an encoding gets that of the other part. */
export function wordsIn({ name, password }: Spelling, account: Words): Words {
  return {
    username: encoded(account.username, name ?? password),
    password: encoded(account.password, password ?? name),
  };
}

/**
 * A plan's settings for the row of a line in one file. Null removes a setting of an earlier plan at
 * the next write of the row.
 */
export type Said = Readonly<Record<string, string | null>>;

const UNSAID: Said = {};

/** Settings by the plan of a line, by file. */
export type SaidByFile = Readonly<Record<string, Said>>;

/** The new rights of a row; null for settings that only the earlier ones had, so that they are removed. */
function saidAfter(before: Said, given: Said | undefined): Said {
  const earlier = Object.keys(before).map((key) => [key, null] as const);
  return { ...Object.fromEntries(earlier), ...given };
}

/** The settings of a written row that stay, without those that were removed. */
export const keptOf = (said: Said): Said =>
  Object.values(said).includes(null)
    ? Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null))
    : said;

/**
 * The record of an account's row in one file. Decision 0110: it is kept beside the file, because a save of OSCam drops every
 * comment in it, and any mark in a row would be the operator's.
 */
export type RowRecord = {
  /** True if the row is the agent's: written by this agent, or taken over from the operator. */
  owned: boolean;
  /** The row's text apart from the account, as bytes, when it was last read; undefined if it has only the grant. */
  rest: string | undefined;
  /** The value of the agent's setting when it made the row; undefined once the operator has set another one. */
  granted: string | undefined;
  /** The encoding of name and password in the row. */
  spelling: Spelling;
  said: Said;
};

export function isSameRecord(one: RowRecord | undefined, other: RowRecord | undefined): boolean {
  if (!one || !other) return one === other;
  const isSame = one.rest === other.rest && one.granted === other.granted;
  const isSaid = one.said === other.said || isDeepStrictEqual(one.said, other.said);
  return (
    isSame && isSaid && one.owned === other.owned && isSameSpelling(one.spelling, other.spelling)
  );
}

/** The earlier and the new record of a row that was in the file. */
export type RecordChange = { known: RowRecord | undefined; record: RowRecord };

/** Facts that are read from rows before the agent changes them. */
export type RowFacts = {
  rows: Map<string, RowRecord>;
  passwords: [name: string, password: string][];
};

const FRESH: RowRecord = {
  owned: false,
  rest: undefined,
  granted: undefined,
  spelling: UNSEEN,
  said: UNSAID,
};

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS rows (
    file TEXT NOT NULL,
    username TEXT NOT NULL,
    owned INTEGER NOT NULL,
    rest BLOB,
    granted TEXT,
    -- Unused.
    left_password TEXT,
    -- Settings of the plan, as JSON.
    rights TEXT,
    PRIMARY KEY (file, username)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS lines (
    line TEXT PRIMARY KEY,
    username TEXT NOT NULL UNIQUE
  ) STRICT, WITHOUT ROWID;
  -- Of version 1.4, which kept the encoding of names alone.
  CREATE TABLE IF NOT EXISTS encodings (
    username TEXT PRIMARY KEY,
    encoding TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS spellings (
    file TEXT NOT NULL,
    username TEXT NOT NULL,
    name TEXT,
    password TEXT,
    PRIMARY KEY (file, username)
  ) STRICT, WITHOUT ROWID;
  INSERT OR IGNORE INTO spellings (file, username, name)
    SELECT file, username, encoding FROM encodings JOIN rows USING (username);
  CREATE TABLE IF NOT EXISTS former_passwords (
    username TEXT NOT NULL,
    digest TEXT NOT NULL,
    -- Of a customer who had the name before.
    earlier INTEGER NOT NULL DEFAULT 0,
    departed_on TEXT,
    PRIMARY KEY (username, digest)
  ) STRICT, WITHOUT ROWID;
`;

/** Days after which no editor or card server should still have an old text of a file. */
const REMEMBERED_DAYS = 90;

function digestOf(name: string, password: string): string {
  return createHash('sha256').update(`${name}\0${password}`, 'latin1').digest('hex');
}

const textOrNone = (value: unknown) => (typeof value === 'string' ? value : undefined);

/**
 * The agent's records of its rows in the card servers' files, kept in memory too, because each write needs all. Names
 * and passwords are bytes, as in the files, unless they are called username. Changes of several tables run in the
 * caller's transaction.
 */
export class RowRecords {
  readonly #sql: Sql;
  /** Records by file and name. */
  #rows = new Map<string, Map<string, RowRecord>>();
  /**
   * Passwords of the agent's former rows, as digests, and whether each belonged to an earlier customer. They identify a
   * row from before the last change, written back by a card server or an editor that was left open.
   */
  #passwords = new Map<string, boolean>();

  constructor(db: DatabaseSync) {
    db.exec(SCHEMA);
    const columns = db.prepare('SELECT name FROM pragma_table_info(?)').all('rows');
    // A database of an older agent, without plans, lacks the column.
    if (!columns.some(({ name }) => name === 'rights'))
      db.exec('ALTER TABLE rows ADD COLUMN rights TEXT');
    this.#sql = openSql(db);
    const age = `-${REMEMBERED_DAYS} days`;
    this.#sql.run`DELETE FROM former_passwords WHERE departed_on < date('now', ${age})`;
    this.reload();
  }

  /** Reads all records again, also after a transaction that was rolled back. */
  reload(): void {
    const passwords = this.#sql.all`SELECT digest, earlier FROM former_passwords`;
    this.#passwords = new Map(
      passwords.map(({ digest, earlier }) => [String(digest), earlier === 1]),
    );
    this.#rows = new Map();
    const rows = this.#sql
      .all`SELECT rows.*, name, password FROM rows LEFT JOIN spellings USING (file, username)`;
    for (const row of rows) {
      this.#keep(String(row.file), String(row.username), {
        owned: row.owned === 1,
        rest:
          row.rest === null ? undefined : Buffer.from(row.rest as Uint8Array).toString('latin1'),
        granted: textOrNone(row.granted),
        spelling: { name: textOrNone(row.name), password: textOrNone(row.password) },
        said: row.rights === null ? UNSAID : JSON.parse(String(row.rights)),
      });
    }
  }

  of(file: string, name: string): RowRecord | undefined {
    return this.#rows.get(file)?.get(name);
  }

  /**
   * The customer whose row with this name had the password, in any encoding: the `last` one that had the row, or an
   * `earlier` one; undefined if none had it.
   */
  customerWith(name: string, password: string): 'last' | 'earlier' | undefined {
    const found = [password, ...respelled(password)].map((one) =>
      this.#passwords.get(digestOf(name, one)),
    );
    if (found.includes(true)) return 'earlier';
    return found.includes(false) ? 'last' : undefined;
  }

  addPassword(username: string, password: string): void {
    const digest = digestOf(bytesOf(username), password);
    this.#sql.run`
      INSERT INTO former_passwords (username, digest) VALUES (${username}, ${digest})
        ON CONFLICT DO UPDATE SET earlier = 0`;
    this.#passwords.set(digest, false);
  }

  /** The line that has the name; undefined if no panel has sent it. */
  lineOf(username: string): string | undefined {
    return textOrNone(this.#sql.get`SELECT line FROM lines WHERE username = ${username}`?.line);
  }

  /** True if the name belongs to another line now. */
  isOfAnother(username: string, line: string): boolean {
    return (this.lineOf(username) ?? line) !== line;
  }

  /** The last name of a line; undefined if no panel has sent one. */
  nameOfLine(line: string | undefined): string | undefined {
    if (line === undefined) return undefined;
    return textOrNone(this.#sql.get`SELECT username FROM lines WHERE line = ${line}`?.username);
  }

  /** Records the name of a line, if the panel has sent its id. */
  setLine(line: string | undefined, username: string): void {
    if (line === undefined) return;
    this.#sql.run`INSERT OR REPLACE INTO lines VALUES (${line}, ${username})`;
  }

  set(file: string, username: string, record: RowRecord): void {
    const { owned, rest, granted = null, spelling } = record;
    const bytes = rest === undefined ? null : Buffer.from(rest, 'latin1');
    const rights = Object.keys(record.said).length === 0 ? null : JSON.stringify(record.said);
    this.#sql.run`
      INSERT INTO rows (file, username, owned, rest, granted, rights)
        VALUES (${file}, ${username}, ${owned ? 1 : 0}, ${bytes}, ${granted}, ${rights})
        ON CONFLICT DO UPDATE SET owned = excluded.owned, rest = excluded.rest, granted = excluded.granted,
          rights = excluded.rights`;
    const { spelling: before = UNSEEN } = this.of(file, bytesOf(username)) ?? {};
    if (!isSameSpelling(before, spelling)) {
      const { name = null, password = null } = spelling;
      this.#sql
        .run`INSERT OR REPLACE INTO spellings VALUES (${file}, ${username}, ${name}, ${password})`;
    }
    this.#keep(file, username, record);
  }

  /** Stores the settings that the operator gave to rows, and the passwords that other programs gave them. */
  storeFacts(file: string, facts: RowFacts): void {
    for (const [name, { rest, granted, spelling }] of facts.rows) {
      const known = this.of(file, name);
      if (known) this.set(file, textOf(name), { ...known, rest, granted, spelling });
    }
    for (const [name, password] of facts.passwords) this.addPassword(textOf(name), password);
  }

  /**
   * Sets the settings of a plan for the rows of an account; a later write puts them into the files.
   * Returns true if they have changed.
   */
  say(username: string, given: SaidByFile): boolean {
    const files = [...new Set([...this.#rows.keys(), ...Object.keys(given)])];
    const changed = files.filter((file) => {
      const record = this.of(file, bytesOf(username)) ?? FRESH;
      const said = saidAfter(record.said, given[file]);
      if (isDeepStrictEqual(said, record.said)) return false;
      this.set(file, username, { ...record, said });
      return true;
    });
    return changed.length > 0;
  }

  /**
   * Starts an account. A line that returns, under its name or another, or a name that returns with a former password,
   * is the last customer, whose settings are restored.
   */
  begin(username: string, password: string, line?: string): void {
    const former = this.nameOfLine(line);
    const customer = this.customerWith(bytesOf(username), bytesOf(password));
    this.#sql.run`UPDATE former_passwords SET departed_on = NULL WHERE username = ${username}`;
    if (former !== username && customer !== 'last') {
      this.#endCustomer(username);
      this.#change(username, FRESH);
    }
    if (former !== undefined && former !== username) {
      for (const [file, { rest, granted, spelling, said }] of this.#inAllFiles(former)) {
        this.set(file, username, { ...FRESH, rest, granted, spelling, said });
      }
    }
    this.setLine(line, username);
  }

  /** Marks the passwords and the line of a name as an earlier customer's. */
  #endCustomer(username: string): void {
    const found = this.#sql
      .all`UPDATE former_passwords SET earlier = 1 WHERE username = ${username} RETURNING digest`;
    for (const { digest } of found) this.#passwords.set(String(digest), true);
    this.#sql.run`DELETE FROM lines WHERE username = ${username}`;
  }

  end(username: string, password: string): void {
    this.addPassword(username, bytesOf(password));
    this.#sql
      .run`UPDATE former_passwords SET departed_on = date('now') WHERE username = ${username}`;
  }

  /** Gives up the row of a deleted account, which is no longer in the files. */
  disown(username: string): void {
    this.#change(username, { owned: false });
  }

  #keep(file: string, username: string, record: RowRecord): void {
    const rows = this.#rows.get(file) ?? new Map<string, RowRecord>();
    this.#rows.set(file, rows.set(bytesOf(username), record));
  }

  #inAllFiles(username: string): [file: string, record: RowRecord][] {
    return [...this.#rows].flatMap(([file, rows]) => {
      const record = rows.get(bytesOf(username));
      return record ? [[file, record]] : [];
    });
  }

  #change(username: string, changes: Partial<RowRecord>): void {
    for (const [file, record] of this.#inAllFiles(username)) {
      this.set(file, username, { ...record, ...changes });
    }
  }
}
