import pino from 'pino';
import { readConfig } from '../apps/server/src/core/config.ts';
import type { Ctx } from '../apps/server/src/core/context.ts';
import { runUseCase } from '../apps/server/src/core/run-use-case.ts';
import { findSession } from '../apps/server/src/core/sessions.ts';
import type { Route } from '../apps/server/src/core/use-case.ts';
import type { Connection } from '../apps/server/src/db/connect.ts';
import { createLine } from '../apps/server/src/features/lines/create-line.ts';
import { listLines } from '../apps/server/src/features/lines/store.ts';
import { createServices } from '../apps/server/src/services.ts';
import { seededAccount } from '../apps/server/src/testing/seed.ts';
import type { Recorder, Statement } from '../apps/server/src/testing/statements.ts';

/** What stands in recorded parameters where a request has a value of its own. */
export const given = {
  token: 'the token of a session',
  account: seededAccount(2),
  text: 'the text that is searched',
  cursorDay: '1999-01-02',
  cursorId: '0190000d-0000-7000-8000-000000000002',
  username: 'recorded',
  key: 'the key of an attempt',
  bodyHash: 'the hash of a body',
} as const;

export type PageKind = 'first' | 'next' | 'search';

/** What the panel asks the database, word for word, for the bare server to ask too. */
export interface Recording {
  session: Statement;
  /** The page, and on a first page the count; for those who see all lines and for the others. */
  pages: Record<'all' | 'subtree', Record<PageKind, Statement[]>>;
  /** A whole sale with its push, from the look for an earlier attempt to the reply that is kept. */
  sale: Statement[];
}

const SORT = '-added_date';
export const cursorOf = (sort: string, value: string, id: string) =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url');

export type LinesQuery = Partial<Parameters<typeof listLines>[3]>;

export function recordList(
  { db, record }: Recorder,
  accountId: string,
  seesAll: boolean,
  query: LinesQuery,
): Promise<Statement[]> {
  const scope = { account_id: accountId, sees_all: seesAll };
  const today = new Date().toISOString().slice(0, 10);
  return record(() => listLines(db, scope, today, { limit: 50, sort: SORT, ...query }));
}

async function recordPages(recorder: Recorder, seesAll: boolean) {
  const cursor = cursorOf(SORT, given.cursorDay, given.cursorId);
  return {
    first: await recordList(recorder, given.account, seesAll, {}),
    next: await recordList(recorder, given.account, seesAll, { cursor }),
    search: await recordList(recorder, given.account, seesAll, { q: given.text }),
  };
}

/** Sells one line, pushed to the active server, which must be there. */
async function recordSale(
  recorder: Recorder,
  connection: Connection,
  env: Record<string, string>,
): Promise<Statement[]> {
  const services = createServices(
    readConfig(env),
    { ...connection, db: recorder.db },
    env.SECRET_KEY ?? '',
    pino({ level: 'warn' }),
  );
  const actor: Ctx['actor'] = {
    id: given.account,
    email: 'account-2@panel.example',
    group_id: '2',
    is_admin: false,
    permissions: ['view_users', 'add_credits'],
  };
  const ctx = { ...services, actor, signedIn: actor, headers: new Headers() } as Ctx;
  const body = {
    username: given.username,
    password: 'a password',
    protocol: 'cccam',
    is_trial: false,
    subscription_months: 1,
  };
  const input = { params: undefined, query: undefined, body };
  const attempt = {
    account_id: actor.id,
    endpoint: 'createLine',
    key: given.key,
    body_hash: given.bodyHash,
  };
  const handler = createLine as unknown as Route['handler'];
  const statements = await recorder.record(() => runUseCase(handler, ctx, input as never, attempt));
  // The session library looks at the schema once, when it is made.
  return statements.filter(({ sql }) => !sql.includes('pg_catalog'));
}

export async function recordStatements(
  recorder: Recorder,
  connection: Connection,
  env: Record<string, string>,
): Promise<Recording> {
  const [session] = await recorder.record(() => findSession(recorder.db, given.token));
  if (!session) throw new Error('The session was not looked up.');
  return {
    session,
    pages: { all: await recordPages(recorder, true), subtree: await recordPages(recorder, false) },
    sale: await recordSale(recorder, connection, env),
  };
}
