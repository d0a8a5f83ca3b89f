import { createHmac } from 'node:crypto';
import { type Connection, connectPostgres } from '../apps/server/src/db/connect.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import type { Db } from '../apps/server/src/db/transaction.ts';
import { newId } from '../apps/server/src/platform/ids.ts';
import { createSecrets } from '../apps/server/src/platform/keys/secrets.ts';
import { seed, seededAccount } from '../apps/server/src/testing/seed/lines.ts';
import { seedPresence } from '../apps/server/src/testing/seed/presence.ts';
import { seedRecords } from '../apps/server/src/testing/seed/records.ts';
import { seedTalk } from '../apps/server/src/testing/seed/talk.ts';
import type { TestPostgres } from '../scripts/test-postgres.ts';
import { type Running, startBare, startPanel } from './servers.ts';

const ACCOUNTS = 20_000;
export const SECRET_KEY = 'a secret key of the benchmark, long enough';

/**
 * `lines` has lines of many accounts; `records` as many accounts, transfers and entries of the audit
 * log as lines; `talk` has as many messages and notifications, and a tenth of that tickets.
 */
export type Kind = 'lines' | 'records' | 'talk';

/** The panel and the bare server on one database. */
export interface Fixture {
  kind: Kind;
  lines: number;
  databaseUrl: string;
  panel: Running;
  bare: Running;
  /** Cookie header for a seeded account, by its number. */
  cookieOf(account: number): string;
  /** Search words, each of which occurs in some lines. */
  words: string[];
  stop(): Promise<void>;
}

/** With a session each: 2 and following. */
const SIGNED_IN = 25;
const SELLERS = 10;
/** Accounts that sell while others read: 2 and following. */
export const seller = (index: number) => 2 + (index % SELLERS);

export async function openFixture(
  postgres: TestPostgres,
  kind: Kind,
  lines: number,
  cardServer: Running,
): Promise<Fixture> {
  const name = `bench_${kind}_${lines}`;
  const root = await connectPostgres(postgres.url());
  await root.query(`create database ${name}`);
  await root.close();
  const databaseUrl = postgres.url(name);
  const env = { DATABASE_URL: databaseUrl, SECRET_KEY };
  const connection = await connectPostgres(databaseUrl);
  await migrate(connection.db);
  const accounts = kind === 'records' ? lines : ACCOUNTS;
  await seed(connection.db, { accounts, lines: kind === 'talk' ? ACCOUNTS : lines });
  if (kind === 'lines') await seedPresence(connection.db);
  if (kind === 'records') await seedRecords(connection.db, lines);
  if (kind === 'talk') {
    await seedTalk(connection.db, { accounts, tickets: lines / 10, messages: lines });
  }
  await addServer(connection.db, cardServer);
  const cookies = await signIn(connection.db, [
    1,
    ...Array.from({ length: SIGNED_IN }, (_, index) => 2 + index),
  ]);
  const words = kind === 'lines' ? await findWords(connection) : await findNames(connection);
  await connection.close();
  const panel = await startPanel(env);
  const bare = await startBare({ databaseUrl, secretKey: SECRET_KEY });
  return {
    kind,
    lines,
    databaseUrl,
    panel,
    bare,
    cookieOf: (account) => cookies.get(account) ?? '',
    words,
    stop: async () => {
      await Promise.all([panel.stop(), bare.stop()]);
    },
  };
}

/** The only active server, so every line is sold on it. */
export async function addServer(db: Db, cardServer: Running): Promise<void> {
  const id = newId();
  await db
    .insertInto('cccam_servers')
    .values({
      id,
      server_name: 'Active server',
      host_ip: '127.0.0.1',
      port: 12000,
      api_port: Number(new URL(cardServer.url).port),
      api_scheme: 'http',
      username: 'panel',
      password: createSecrets(SECRET_KEY).seal('the password of a card server', id),
      protocol: 'CCcam',
      status: 'active',
      latency_ms: null,
      user_id: null,
    })
    .execute();
}

export async function signIn(db: Db, accounts: number[]): Promise<Map<number, string>> {
  const { sessionKey } = createSecrets(SECRET_KEY);
  const sessions = accounts.map((account) => ({ account, id: newId(), token: `token-${newId()}` }));
  await db
    .insertInto('auth_sessions')
    .values(
      sessions.map(({ account, id, token }) => ({
        id,
        user_id: seededAccount(account),
        token,
        expires_at: new Date(Date.now() + 86_400_000),
        ip_address: '127.0.0.1',
        user_agent: 'bench',
      })),
    )
    .execute();
  return new Map(
    sessions.map(({ account, token }) => {
      const signature = createHmac('sha256', sessionKey).update(token).digest('base64');
      return [account, `linekeeper.session=${encodeURIComponent(`${token}.${signature}`)}`];
    }),
  );
}

/** Words among the planner's histogram bounds, for which its row estimate is worst. */
async function findWords(connection: Connection): Promise<string[]> {
  const found = await connection.query(`
    select substring(bound from 'client (.{8})') as word
    from pg_stats, unnest(histogram_bounds::text::text[]) as bound
    where tablename = 'users' and attname = 'search' and bound like '%client%'
    limit 20`);
  return (found as { rows: { word: string }[] }).rows.map(({ word }) => word);
}

/** Names of lines, each of which a few entries of the audit log are about. */
async function findNames(connection: Connection): Promise<string[]> {
  const found = await connection.query(
    'select username from users where is_trial order by username limit 20',
  );
  return (found as { rows: { username: string }[] }).rows.map(({ username }) => username);
}
