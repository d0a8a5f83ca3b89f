import type { CompiledQuery } from 'kysely';
import type { Db } from './transaction.ts';

/** Runs a statement on a connection from the pool. */
type RunCompiled = (text: string, values: readonly unknown[]) => Promise<{ rows: unknown[] }>;

const runners = new WeakMap<Db, RunCompiled>();

/**
 * Sets the function that runs a finished statement on this database without Kysely, which has nothing left to build.
 */
export function setCompiledRunner(db: Db, ask: RunCompiled): void {
  runners.set(db, ask);
}

/** Runs a compiled statement and returns its rows; inside the transaction if `db` is one. */
async function runCompiled<Row>(db: Db, compiled: CompiledQuery<Row>): Promise<Row[]> {
  const ask = runners.get(db);
  const { rows } = await (ask?.(compiled.sql, compiled.parameters) ?? db.executeQuery(compiled));
  return rows as Row[];
}

/**
 * Builds a statement once instead of at every call. `build` gets a placeholder for each named value
 * and must use it only as a value.
 */
export function compiledQuery<const Name extends string, Row>(
  names: readonly Name[],
  build: (db: Db, values: Record<Name, string>) => { compile(db: Db): CompiledQuery<Row> },
): (db: Db, values: Record<Name, unknown>) => Promise<Row[]> {
  const standIns = new Map(names.map((name) => [`stands in for ${name}`, name]));
  const given = Object.fromEntries([...standIns].map(([text, name]) => [name, text]));
  let compiled: CompiledQuery<Row> | undefined;
  return (db, values) => {
    compiled ??= build(db, given as Record<Name, string>).compile(db);
    const parameters = compiled.parameters.map((parameter) => {
      const name = standIns.get(parameter as string);
      return name === undefined ? parameter : values[name];
    });
    return runCompiled(db, { ...compiled, parameters });
  };
}
