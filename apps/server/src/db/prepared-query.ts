import type pg from 'pg';

/** A result column of a prepared statement, with the parser for its text. */
export interface Column {
  name: string;
  parse: (text: string) => unknown;
}

/** A statement that the connection has prepared, with its columns. */
export interface PreparedStatement {
  name: string;
  columns: readonly Column[];
  /** A row with null in every column, in order. */
  emptyRow: Record<string, unknown>;
}

export function preparedStatement(name: string, columns: readonly Column[]): PreparedStatement {
  // Spread once more, because V8 copies an object made by spread faster than one of fromEntries.
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

export function canBeSent(values: readonly unknown[]): values is readonly Sent[] {
  return values.every((value) => value === null || typeof value !== 'object');
}

/** Bind, Execute and Sync of PostgreSQL’s protocol in one piece, with all values as text. */
function encode(name: string, values: readonly Sent[]): Buffer {
  const texts = values.map((value) => (value === null || value === undefined ? null : `${value}`));
  const lengths = texts.map((text) => (text === null ? 0 : Buffer.byteLength(text)));
  const bound = lengths.reduce((sum, length) => sum + 4 + length, 0);
  // Lengths, formats and counts around the name and the values.
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
 * Runs a prepared statement, sent as one message and without asking for its columns again, which
 * takes half the processor time of pg's own query. pg calls these methods as for its own queries.
 */
export class PreparedQuery implements pg.Submittable {
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
