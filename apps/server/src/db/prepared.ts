import { sql } from 'kysely';
import pg from 'pg';
import {
  canBeSent,
  PreparedQuery,
  type PreparedStatement,
  preparedStatement,
} from './prepared-query.ts';

/** Maximum prepared statements per connection; more than a panel uses regularly. Later ones are not prepared. */
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

/** True if a migration changed the columns that a prepared statement returns. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Error && /cached plan must not change result type/.test(error.message);
}

/** Properties of pg's client that its types do not declare. */
interface Wire {
  /** The embedded database's connection has nothing that could be written to. */
  connection: { stream: { write?: unknown } };
}

interface Named {
  name: string;
  /** Null until the statement was run for the first time. */
  statement: PreparedStatement | null;
}

/**
 * A connection that prepares repeated statements, because parsing and planning are half of a page's
 * cost in the database. Statements that occur once, such as those built for a batch, are not
 * prepared.
 */
export class PreparingClient extends pg.Client {
  /** Names by text. */
  readonly #named = new Map<string, Named>();
  readonly #seen = new Set<string>();
  #made = 0;

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg are not ours to repeat.
  override query(...args: any[]): any {
    const [text, values] = args;
    const isPlain = typeof text === 'string' && args.length <= 2 && typeof values !== 'function';
    const named = isPlain ? this.#namedOf(text) : null;
    const ask = super.query.bind(this) as (...args: unknown[]) => Promise<unknown>;
    if (named === null) return ask(...args);
    return this.#askPrepared(named, text, values ?? []).catch((error: unknown) => {
      if (!isOutdated(error)) throw error;
      // The next one is prepared anew.
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
    const named = { name: `statement_${this.#made}`, statement: null };
    this.#named.set(text, named);
    return named;
  }

  #see(text: string): void {
    const [oldest] = this.#seen;
    if (oldest !== undefined && this.#seen.size >= MOST_SEEN) this.#seen.delete(oldest);
    this.#seen.add(text);
  }
}
