import { sql } from 'kysely';
import pg from 'pg';

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

/**
 * A connection that prepares repeated statements, because parsing and planning are half of a page's
 * cost in the database. Statements that occur once, such as those built for a batch, are not
 * prepared.
 */
export class PreparingClient extends pg.Client {
  /** Names by text. */
  readonly #names = new Map<string, string>();
  readonly #seen = new Set<string>();
  #made = 0;

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg are not ours to repeat.
  override query(...args: any[]): any {
    const [text, values] = args;
    const isPlain = typeof text === 'string' && args.length <= 2 && typeof values !== 'function';
    const name = isPlain ? this.#nameOf(text) : null;
    const ask = super.query.bind(this) as (...args: unknown[]) => Promise<unknown>;
    if (name === null) return ask(...args);
    return ask({ name, text, values }).catch((error: unknown) => {
      if (!isOutdated(error)) throw error;
      // The next one is prepared anew.
      this.#names.delete(text);
      // In a failed transaction this query fails too, and `transact` runs the whole transaction
      // again.
      return ask(text, values).catch(() => {
        throw error;
      });
    });
  }

  #nameOf(text: string): string | null {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#made >= MOST_KEPT || !mayBePrepared(text)) return null;
    if (!this.#seen.delete(text)) {
      this.#see(text);
      return null;
    }
    this.#made += 1;
    const name = `statement_${this.#made}`;
    this.#names.set(text, name);
    return name;
  }

  #see(text: string): void {
    const [oldest] = this.#seen;
    if (oldest !== undefined && this.#seen.size >= MOST_SEEN) this.#seen.delete(oldest);
    this.#seen.add(text);
  }
}
