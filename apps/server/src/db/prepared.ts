import { sql } from 'kysely';
import pg from 'pg';

/** Maximum prepared statements per connection; more than a panel uses regularly. Later ones are not prepared. */
const MOST_KEPT = 300;
/** Characters. Longer statements name hundreds of rows and hardly ever recur with the same text. */
const LONGEST_TEXT = 20_000;
/** Number of texts per connection that are remembered after their first use. */
const MOST_SEEN = 1000;

/**
 * A mark for a statement whose best plan depends on its values, such as a search or the lines below
 * one account. It is not prepared, because a prepared statement may get one plan for all values.
 */
export const PLANNED_FOR_VALUES = '/* planned for its values */';
export const plannedForValues = sql.raw(PLANNED_FOR_VALUES);

const READS_OR_WRITES = /^\s*(?:select|insert|update|delete|with)\b/i;
/**
 * Matches `select *`, `returning *` and `t.*`: a migration changes the columns returned, which
 * breaks prepared statements.
 */
const OPEN_COLUMNS = /(?:\b(?:select|returning)|,)\s+\*|\.\*/i;

/** True if PostgreSQL may keep the statement and its plan. */
export function mayBePrepared(text: string): boolean {
  return (
    text.length <= LONGEST_TEXT &&
    READS_OR_WRITES.test(text) &&
    !OPEN_COLUMNS.test(text) &&
    !text.includes(';') &&
    !text.includes(PLANNED_FOR_VALUES)
  );
}

/** True if a migration changed the columns that a prepared statement returns. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Error && /cached plan must not change result type/.test(error.message);
}

/** A result column of a prepared statement, with the parser for its text. */
interface Column {
  name: string;
  parse: (text: string) => unknown;
}

/** A statement that the connection has prepared, with its columns. */
interface PreparedStatement {
  name: string;
  columns: readonly Column[];
  /** A row with null in every column, in order. */
  emptyRow: Record<string, unknown>;
}

function preparedStatement(name: string, columns: readonly Column[]): PreparedStatement {
  // The object is copied by spread, because V8 copies such an object faster than the result of fromEntries.
  const emptyRow = { ...Object.fromEntries(columns.map((column) => [column.name, null])) };
  return { name, columns, emptyRow };
}

/** Values that this class encodes itself; statements with others are left to pg. */
type Sent = string | number | boolean | null | undefined;

/** The part of pg's result that callers use. */
interface Result {
  command: string | null;
  rowCount: number | null;
  rows: object[];
}

type Callback = (error: unknown, result?: Result) => void;

/** The Execute message for the unnamed portal, then Sync. */
const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4]);
const BIND = 0x42;
const NULL_LENGTH = -1;

function canBeSent(values: readonly unknown[]): values is readonly Sent[] {
  return values.every((value) => value === null || typeof value !== 'object');
}

/** Encodes Bind, Execute and Sync of PostgreSQL’s protocol as one message, with all values as text. */
function encode(name: string, values: readonly Sent[]): Buffer {
  const texts = values.map((value) => (value === null || value === undefined ? null : `${value}`));
  const lengths = texts.map((text) => (text === null ? 0 : Buffer.byteLength(text)));
  const bound = lengths.reduce((sum, length) => sum + 4 + length, 0);
  // The lengths, formats and counts that surround the name and the values.
  const bindLength = 4 + 1 + name.length + 1 + 2 + 2 + bound + 2;
  const message = Buffer.allocUnsafe(1 + bindLength + EXECUTE_AND_SYNC.length);
  let at = message.writeUInt8(BIND, 0);
  at = message.writeInt32BE(bindLength, at);
  at = message.writeUInt8(0, at);
  at += message.write(name, at, 'latin1');
  at = message.writeUInt8(0, at);
  at = message.writeInt16BE(0, at);
  at = message.writeInt16BE(texts.length, at);
  for (const [index, text] of texts.entries()) {
    at = message.writeInt32BE(text === null ? NULL_LENGTH : (lengths[index] ?? 0), at);
    if (text !== null) at += message.write(text, at);
  }
  at = message.writeInt16BE(0, at);
  EXECUTE_AND_SYNC.copy(message, at);
  return message;
}

/**
 * Runs a prepared statement, sent as one message and without requesting its columns again, which
 * takes half the processor time of pg's own query. pg calls these methods as for its own queries.
 */
class PreparedQuery implements pg.Submittable {
  readonly callback: Callback;
  readonly #message: Buffer;
  readonly #statement: PreparedStatement;
  readonly #rows: object[] = [];
  #command: string | null = null;
  #rowCount: number | null = null;
  #broken: unknown;

  constructor(statement: PreparedStatement, values: readonly Sent[], callback: Callback) {
    this.callback = callback;
    this.#statement = statement;
    this.#message = encode(statement.name, values);
  }

  submit(connection: pg.Connection): void {
    connection.stream.write(this.#message);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#broken) return;
    const { columns, emptyRow } = this.#statement;
    const row = { ...emptyRow };
    try {
      for (let at = 0; at < fields.length; at++) {
        const text = fields[at];
        const column = columns[at];
        if (column && text !== null && text !== undefined) row[column.name] = column.parse(text);
      }
    } catch (error) {
      this.#broken = error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const words = text.split(' ');
    this.#command = words[0] ?? null;
    this.#rowCount = words.length > 1 ? Number(words.at(-1)) : null;
  }

  handleReadyForQuery(): void {
    if (this.#broken) this.callback(this.#broken);
    else
      this.callback(null, { command: this.#command, rowCount: this.#rowCount, rows: this.#rows });
  }

  handleError(error: unknown): void {
    this.callback(error);
  }

  handleRowDescription(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

/** Properties of pg's client that its types do not declare. */
interface Wire {
  /** The connection's stream. That of the embedded database has no `write`. */
  connection: { stream: { write?: unknown } };
}

interface Named {
  name: string;
  /** The prepared statement; null until it was run for the first time. */
  statement: PreparedStatement | null;
}

/**
 * A connection that prepares repeated statements, because parsing and planning are half of a page's
 * cost in the database. Statements that occur once, such as those built for a batch, are not
 * prepared.
 */
export class PreparingClient extends pg.Client {
  /** Prepared statements by their text. */
  readonly #named = new Map<string, Named>();
  readonly #seen = new Set<string>();
  #made = 0;
  /** The clients of the embedded database share one session, so no two statements of a process have one name. */
  static #names = 0;

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg would have to be repeated.
  override query(...args: any[]): any {
    const [text, values] = args;
    const isPlain = typeof text === 'string' && args.length <= 2 && typeof values !== 'function';
    const named = isPlain ? this.#namedOf(text) : null;
    const ask = super.query.bind(this) as (...args: unknown[]) => Promise<unknown>;
    if (named === null) return ask(...args);
    return this.#askPrepared(named, text, values ?? []).catch((error: unknown) => {
      if (!isOutdated(error)) throw error;
      // The next query with this text prepares the statement again.
      this.#named.delete(text);
      // In a failed transaction this query fails too, and `transact` runs the whole transaction
      // again.
      return ask(text, values).catch(() => {
        throw error;
      });
    });
  }

  async #askPrepared(named: Named, text: string, values: unknown[]): Promise<unknown> {
    const { name, statement } = named;
    if (statement && canBeSent(values)) {
      return new Promise((resolve, reject) => {
        const done = (error: unknown, result: unknown) => (error ? reject(error) : resolve(result));
        super.query(new PreparedQuery(statement, values, done));
      });
    }
    const result = await super.query({ name, text, values });
    const canWrite = (this as unknown as Wire).connection.stream.write !== undefined;
    if (canWrite) {
      const columns = result.fields.map((field) => ({
        name: field.name,
        parse: this.getTypeParser(field.dataTypeID),
      }));
      named.statement = preparedStatement(name, columns);
    }
    return result;
  }

  #namedOf(text: string): Named | null {
    const known = this.#named.get(text);
    if (known !== undefined) return known;
    if (this.#made >= MOST_KEPT || !mayBePrepared(text)) return null;
    if (!this.#seen.delete(text)) {
      this.#see(text);
      return null;
    }
    this.#made += 1;
    PreparingClient.#names += 1;
    const named = { name: `statement_${PreparingClient.#names}`, statement: null };
    this.#named.set(text, named);
    return named;
  }

  #see(text: string): void {
    const [oldest] = this.#seen;
    if (oldest !== undefined && this.#seen.size >= MOST_SEEN) this.#seen.delete(oldest);
    this.#seen.add(text);
  }
}
