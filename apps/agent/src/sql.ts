import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

export type Sql = ReturnType<typeof openSql>;

/**
 * Runs statements as template literals, each prepared once. Not the store of node:sqlite, whose statements keep a
 * closed database locked.
 */
export function openSql(db: DatabaseSync) {
  const prepared = new Map<TemplateStringsArray, StatementSync>();
  function prepare(texts: TemplateStringsArray): StatementSync {
    const statement = prepared.get(texts) ?? db.prepare(texts.join('?'));
    prepared.set(texts, statement);
    return statement;
  }
  return {
    get: (texts: TemplateStringsArray, ...values: SQLInputValue[]) => prepare(texts).get(...values),
    all: (texts: TemplateStringsArray, ...values: SQLInputValue[]) => prepare(texts).all(...values),
    run: (texts: TemplateStringsArray, ...values: SQLInputValue[]) => prepare(texts).run(...values),
  };
}
