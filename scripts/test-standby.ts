import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { copyPostgres, type PostgresCopy } from './postgres-copy.ts';
import type { PostgresServer } from './postgres-server.ts';
import { createCluster, guardAgainstOrphan, SUPERUSER, startOnFreePort } from './test-postgres.ts';

const run = promisify(execFile);

/** The name under which the standby asks its primary for the log. */
const STANDBY = 'standby';

export interface PostgresPair {
  /** Connection URL that names both servers, the primary first. */
  url: string;
  primary: PostgresServer;
  standby: PostgresServer;
  /** Makes the standby a primary that waits for no standby of its own. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Two real PostgreSQL servers with all crash safety: a primary and its streaming standby, for which the primary's
 * commits wait.
 */
export async function startPostgresPair(): Promise<PostgresPair> {
  const copies = [await copyPostgres(), await copyPostgres()] as const;
  const guards = copies.map((copy) => guardAgainstOrphan(copy));
  const [first, second] = copies;
  const password = await createCluster(first);
  await becomeCopyOf(first, second);
  const primary = await startOnFreePort(first, {
    durable: true,
    settings: { synchronous_standby_names: STANDBY, synchronous_commit: 'on' },
  });
  const standby = await startOnFreePort(second, {
    durable: true,
    settings: {
      primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${SUPERUSER} password=${password} application_name=${STANDBY}`,
    },
  });
  const login = `postgres://${SUPERUSER}:${password}`;
  return {
    url: `${login}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    primary,
    standby,
    promote: async () => {
      const client = new pg.Client(`${login}@127.0.0.1:${standby.port}/postgres`);
      await client.connect();
      await client.query('select pg_promote(true, 60)');
      await client.end();
    },
    stop: async () => {
      await Promise.all([primary.end('SIGQUIT'), standby.end('SIGQUIT')]);
      for (const { folder } of copies) await rm(folder, { recursive: true, force: true });
      for (const guard of guards) guard?.kill('SIGKILL');
    },
  };
}

/** While the cluster does not run, its files are a whole copy of it. */
async function becomeCopyOf(from: PostgresCopy, to: PostgresCopy): Promise<void> {
  await run('cp', ['-a', `${from.dataDir}/.`, to.dataDir]);
  await writeFile(join(to.dataDir, 'standby.signal'), '');
}
