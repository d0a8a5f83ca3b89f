import { sql } from 'kysely';
import pg from 'pg';
import { type Column, canBeSent, type Known, KnownQuery, knownStatement } from './known-query.ts';

/** Maximum prepared statements per connection; more than a panel uses regularly. */
const MOST_KEPT = 300;
/** Longer statements name hundreds of rows and hardly ever recur with the same text. */
const LONGEST_TEXT = 20_000;
/** Number of texts per connection that are remembered after their first use. */
const MOST_SEEN = 1000;

/**
 * Marks a statement whose best plan depends on its values, such as a search or the lines below one
 * account. It is not prepared, because a prepared statement may get one plan for all values.
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

/** Properties of pg's client that its types do not declare. */
interface Remembering {
  connection: {
    parsedStatements: Record<string, string | undefined>;
    /** The embedded database's connection has nothing that could be written to. */
    stream: { write?: unknown };
  };
}

interface Prepared {
  name: string;
  /** Null until it was asked for the first time. */
  known: Known | null;
}

/** True if a migration changed the columns that a prepared statement returns. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Error && /cached plan must not change result type/.test(error.message);
}

/**
 * A connection that prepares repeated statements, because parsing and planning are half of a page's
 * cost in the database. Statements that occur once, such as those built for a batch, are not
 * prepared.
 */
export class PreparingClient extends pg.Client {
  /** Names by text; the most recently used are last. */
  readonly #prepared = new Map<string, Prepared>();
  readonly #seen = new Set<string>();
  #made = 0;

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg are not ours to repeat.
  override query(...args: any[]): any {
    const [text, values] = args;
    const isPlain = typeof text === 'string' && args.length <= 2 && typeof values !== 'function';
    const prepared = isPlain ? this.#preparedOf(text) : null;
    const ask = super.query.bind(this) as (...args: unknown[]) => Promise<unknown>;
    if (prepared === null) return ask(...args);
    return this.#askPrepared(prepared, text, values ?? []).catch((error: unknown) => {
      if (!isOutdated(error)) throw error;
      this.#forget(text, prepared);
      // In a failed transaction this query fails too, and `transact` runs the whole transaction
      // again.
      return ask(text, values).catch(() => {
        throw error;
      });
    });
  }

  async #askPrepared(prepared: Prepared, text: string, values: unknown[]): Promise<unknown> {
    const { name, known } = prepared;
    if (known && canBeSent(values)) {
      return new Promise((resolve, reject) => {
        const done = (error: unknown, result: unknown) => (error ? reject(error) : resolve(result));
        super.query(new KnownQuery(known, values, done));
      });
    }
    const result = await super.query({ name, text, values });
    if (this.#canWrite) prepared.known = knownStatement(name, this.#columnsOf(result.fields));
    return result;
  }

  get #canWrite(): boolean {
    return (this as unknown as Remembering).connection.stream.write !== undefined;
  }

  #columnsOf(fields: pg.FieldDef[]): Column[] {
    return fields.map(({ name, dataTypeID }) => ({ name, parse: this.getTypeParser(dataTypeID) }));
  }

  #preparedOf(text: string): Prepared | null {
    const found = this.#prepared.get(text);
    if (found !== undefined) {
      this.#prepared.delete(text);
      this.#prepared.set(text, found);
      return found;
    }
    if (!this.#seen.delete(text)) {
      if (mayBePrepared(text)) this.#see(text);
      return null;
    }
    const [oldest] = this.#prepared;
    if (oldest && this.#prepared.size >= MOST_KEPT) this.#forget(...oldest);
    // Names are never reused, so a statement that could not be deallocated does not conflict.
    this.#made += 1;
    const prepared = { name: `statement_${this.#made}`, known: null };
    this.#prepared.set(text, prepared);
    return prepared;
  }

  #see(text: string): void {
    const [oldest] = this.#seen;
    if (oldest !== undefined && this.#seen.size >= MOST_SEEN) this.#seen.delete(oldest);
    this.#seen.add(text);
  }

  /** Deallocates the statement in the database; fails harmlessly in a failed transaction. */
  #forget(text: string, { name }: Prepared): void {
    this.#prepared.delete(text);
    delete (this as unknown as Remembering).connection.parsedStatements[name];
    void super.query(`deallocate ${name}`).catch(() => {});
  }
}
