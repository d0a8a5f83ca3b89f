import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { bytesOf, respelled, textOf } from '@linekeeper/oscam/bytes.ts';
import { isSameSpelling, type Spelling, UNSEEN } from './spelling.ts';

/** The record of an account's row in one file. */
export type RowRecord = {
  /** Whether the row is the agent's: written by this agent, or taken over from the operator. */
  owned: boolean;
  /** The row's text beside the account, as bytes, when it was last seen; undefined for nothing but the grant. */
  rest: string | undefined;
  /** The agent's setting with which the row was made; undefined once the operator has set another value. */
  granted: string | undefined;
  /** How name and password are written there. */
  spelling: Spelling;
};

export function isSameRecord(one: RowRecord, other: RowRecord): boolean {
  const isSame = one.rest === other.rest && one.granted === other.granted;
  return isSame && isSameSpelling(one.spelling, other.spelling);
}

/** The earlier and the new record of a row that was in the file. */
export type RecordChange = { known: RowRecord | undefined; record: RowRecord };

/** Facts that are read from rows before they change. */
export type RowFacts = {
  rows: Map<string, RowRecord>;
  /** Former passwords. */
  passwords: [name: string, password: string][];
};

/** `left` is the digest of the password that the account had when it was deleted. */
type Known = RowRecord & { left: string | undefined };

const FRESH: Known = {
  ...{ owned: false, rest: undefined, granted: undefined },
  ...{ spelling: UNSEEN, left: undefined },
};

/** The settings that version 1.0.0 gave each row, without keeping a record. */
const FIRST_GRANTS: [file: string, value: string][] = [
  ['CCcam.cfg', ''],
  ['oscam.user', '1'],
];

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS rows (
    file TEXT NOT NULL,
    username TEXT NOT NULL,
    owned INTEGER NOT NULL,
    rest BLOB,
    granted TEXT,
    left_password TEXT,
    PRIMARY KEY (file, username)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS grants (
    file TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (file, value)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS lines (
    line TEXT PRIMARY KEY,
    username TEXT NOT NULL UNIQUE
  ) STRICT, WITHOUT ROWID;
  -- Of version 1.4.0 and before, which kept the encoding of names alone.
  CREATE TABLE IF NOT EXISTS encodings (
    username TEXT PRIMARY KEY,
    encoding TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Apart from the rows, which an agent of an earlier version still has to write.
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
    -- Unused since an editor may bring a row back, too.
    departed INTEGER,
    departed_on TEXT,
    PRIMARY KEY (username, digest)
  ) STRICT, WITHOUT ROWID;
`;

/** Days after which no editor or card server should still have an old text of a file. */
const REMEMBERED_DAYS = 90;

/** The digest of a name and a password as bytes. */
function digestOf(name: string, password: string): string {
  return createHash('sha256').update(`${name}\0${password}`, 'latin1').digest('hex');
}

/**
 * Passwords that rows of the agent's had, as digests: by them a row is known that comes from before the
 * last change, out of a card server's memory or an editor that was left open. Names and passwords are
 * bytes, unless called username.
 */
function openFormerPasswords(db: DatabaseSync) {
  db.prepare("DELETE FROM former_passwords WHERE departed_on < date('now', ?)").run(
    `-${REMEMBERED_DAYS} days`,
  );
  const insert = db.prepare(
    'INSERT INTO former_passwords (username, digest) VALUES (?, ?) ON CONFLICT DO UPDATE SET earlier = 0',
  );
  const leave = db.prepare(
    "UPDATE former_passwords SET departed_on = date('now') WHERE username = ?",
  );
  const comeBack = db.prepare('UPDATE former_passwords SET departed_on = NULL WHERE username = ?');
  const makeEarlier = db.prepare(
    'UPDATE former_passwords SET earlier = 1 WHERE username = ? RETURNING digest',
  );

  function read(): Map<string, boolean> {
    const found = db.prepare('SELECT digest, earlier FROM former_passwords').all();
    return new Map(found.map(({ digest, earlier }) => [String(digest), earlier === 1]));
  }
  /** Whether each digest is of an earlier customer. */
  let known = read();
  const spelled = (password: string) => [password, ...respelled(password)];

  return {
    /** After a transaction that was rolled back. */
    reload(): void {
      known = read();
    },

    /** Whether a row with this name ever had the password, in any encoding. */
    has: (name: string, password: string): boolean =>
      spelled(password).some((one) => known.has(digestOf(name, one))),

    /** Whether the password belonged to an earlier customer with this name. */
    isEarlier: (name: string, password: string): boolean =>
      spelled(password).some((one) => known.get(digestOf(name, one))),

    add(username: string, password: string): void {
      const digest = digestOf(bytesOf(username), password);
      insert.run(username, digest);
      known.set(digest, false);
    },

    /** The name is sold again. */
    begin(username: string, isSameCustomer: boolean): void {
      comeBack.run(username);
      if (isSameCustomer) return;
      for (const { digest } of makeEarlier.all(username)) known.set(String(digest), true);
    },

    /** The name is deleted. */
    end(username: string): void {
      leave.run(username);
    },
  };
}

/** The current and earlier settings that new rows of each file got. */
function openGrants(db: DatabaseSync) {
  const add = db.prepare('INSERT INTO grants VALUES (?, ?) ON CONFLICT DO NOTHING');
  const forget = db.prepare('DELETE FROM grants WHERE file = ? AND value <> ?');
  const list = db.prepare('SELECT value FROM grants WHERE file = ?');
  if (db.prepare('SELECT 1 FROM grants').get() === undefined) {
    for (const [file, value] of FIRST_GRANTS) add.run(file, value);
  }
  return {
    of: (file: string) => new Set(list.all(file).map(({ value }) => String(value))),
    use: (file: string, value: string): void => void add.run(file, value),
    forgetAllBut: (file: string, value: string): void => void forget.run(file, value),
  };
}

/** The last name of each of the panel's lines, whose name and password may change. */
function openLines(db: DatabaseSync) {
  const save = db.prepare('INSERT OR REPLACE INTO lines VALUES (?, ?)');
  const find = db.prepare('SELECT username FROM lines WHERE line = ?');
  const forget = db.prepare('DELETE FROM lines WHERE username = ?');
  const findLine = db.prepare('SELECT line FROM lines WHERE username = ?');
  /** True if the name is known to be another line's today. */
  function isOfAnother(username: string, line: string): boolean {
    const found = findLine.get(username);
    return found !== undefined && found.line !== line;
  }
  return {
    isOfAnother,
    /** The line that has the name; undefined if no panel has told. */
    of: (username: string) => findLine.get(username)?.line as string | undefined,
    /** The name of a line; `formerly` is the panel's answer for a line whose id the agent does not know. */
    nameOf(line: string | undefined, formerly?: string): string | undefined {
      if (line === undefined) return undefined;
      const found = find.get(line);
      if (found) return String(found.username);
      return formerly !== undefined && !isOfAnother(formerly, line) ? formerly : undefined;
    },
    set: (line: string, username: string): void => void save.run(line, username),
    forget: (username: string): void => void forget.run(username),
  };
}

function readRows(db: DatabaseSync): Map<string, Map<string, Known>> {
  const files = new Map<string, Map<string, Known>>();
  const all = db.prepare(
    'SELECT rows.*, name, password FROM rows LEFT JOIN spellings USING (file, username)',
  );
  for (const row of all.iterate()) {
    const known = files.get(String(row.file)) ?? new Map<string, Known>();
    files.set(String(row.file), known);
    known.set(bytesOf(String(row.username)), {
      owned: row.owned === 1,
      rest: row.rest === null ? undefined : Buffer.from(row.rest as Uint8Array).toString('latin1'),
      granted: (row.granted as string | null) ?? undefined,
      spelling: {
        name: (row.name as string | null) ?? undefined,
        password: (row.password as string | null) ?? undefined,
      },
      left: (row.left_password as string | null) ?? undefined,
    });
  }
  return files;
}

/** Rows by file and name, kept in memory too, because each write asks for all. */
function openRows(db: DatabaseSync) {
  const save = db.prepare(
    `INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET owned = excluded.owned,
      rest = excluded.rest, granted = excluded.granted, left_password = excluded.left_password`,
  );
  const spell = db.prepare('INSERT OR REPLACE INTO spellings VALUES (?, ?, ?, ?)');
  let files = readRows(db);
  return {
    reload(): void {
      files = readRows(db);
    },

    of: (file: string, name: string): Known | undefined => files.get(file)?.get(name),

    inAllFiles(username: string): [file: string, known: Known][] {
      return [...files].flatMap(([file, rows]) => {
        const known = rows.get(bytesOf(username));
        return known ? [[file, known]] : [];
      });
    },

    set(file: string, username: string, known: Known): void {
      const { owned, rest, granted, left, spelling } = known;
      const bytes = rest === undefined ? null : Buffer.from(rest, 'latin1');
      save.run(file, username, owned ? 1 : 0, bytes, granted ?? null, left ?? null);
      const rows = files.get(file) ?? new Map<string, Known>();
      const { spelling: before = UNSEEN } = rows.get(bytesOf(username)) ?? {};
      if (!isSameSpelling(before, spelling)) {
        spell.run(file, username, spelling.name ?? null, spelling.password ?? null);
      }
      files.set(file, rows.set(bytesOf(username), known));
    },
  };
}

/**
 * The agent's records of its rows in the card servers' files. Names and passwords are bytes, as in the files, unless
 * they are called username. Changes of several tables run in the caller's transaction.
 */
export function openRowRecords(db: DatabaseSync) {
  db.exec(SCHEMA);
  const grants = openGrants(db);
  const passwords = openFormerPasswords(db);
  const rows = openRows(db);
  const lines = openLines(db);

  return {
    grants,
    lines,
    passwords,

    of: (file: string, name: string): RowRecord | undefined => rows.of(file, name),

    /** After a transaction that was rolled back. */
    reload(): void {
      rows.reload();
      passwords.reload();
    },

    /** Stores what the operator set on rows, and passwords that others gave them. */
    storeFacts(file: string, facts: RowFacts): void {
      for (const [name, { rest, granted, spelling }] of facts.rows) {
        const known = rows.of(file, name);
        if (known) rows.set(file, textOf(name), { ...known, rest, granted, spelling });
      }
      for (const [name, password] of facts.passwords) passwords.add(textOf(name), password);
    },

    set(file: string, username: string, record: RowRecord): void {
      rows.set(file, username, { ...record, left: undefined });
    },

    /**
     * Starts an account. A line that comes back, by its name or another, or a name that comes back with its password,
     * is the earlier customer, whose settings return.
     */
    begin(
      username: string,
      password: string,
      line: string | undefined,
      formerly: string | undefined,
    ): void {
      const digest = digestOf(bytesOf(username), bytesOf(password));
      const known = rows.inAllFiles(username);
      const former = lines.nameOf(line, formerly);
      const isSame = (left: string | undefined) => former === username || left === digest;
      const isSameCustomer = known.every(([, { left }]) => left === undefined || isSame(left));
      passwords.begin(username, isSameCustomer);
      for (const [file, record] of known) {
        rows.set(file, username, isSame(record.left) ? { ...record, left: undefined } : FRESH);
      }
      if (former !== undefined && former !== username) {
        for (const [file, { rest, granted, spelling }] of rows.inAllFiles(former)) {
          rows.set(file, username, { ...FRESH, rest, granted, spelling });
        }
      }
      if (line !== undefined) lines.set(line, username);
      else if (!isSameCustomer) lines.forget(username);
    },

    end(username: string, password: string): void {
      passwords.add(username, bytesOf(password));
      passwords.end(username);
      const left = digestOf(bytesOf(username), bytesOf(password));
      for (const [file, known] of rows.inAllFiles(username)) {
        rows.set(file, username, { ...known, left });
      }
    },

    /** The row of a deleted account is out of the files. */
    disown(username: string): void {
      for (const [file, known] of rows.inAllFiles(username)) {
        if (known.owned) rows.set(file, username, { ...known, owned: false });
      }
    },
  };
}
