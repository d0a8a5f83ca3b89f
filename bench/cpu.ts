import { readFile } from 'node:fs/promises';
import pg from 'pg';

/** CPU time in milliseconds. */
export interface Used {
  /** Used by the server's own process. */
  server: number;
  /** Used by the database's processes that work for this server. */
  database: number;
}

const MS_A_TICK = 10;
const applications = { panel: 'linekeeper', bare: 'bare' };

/**
 * Starts counting CPU time; the returned function stops. Unlike replies per second, CPU time hardly
 * depends on other load. Linux only: 0 elsewhere.
 */
export async function cpuClock(
  pid: number,
  databaseUrl: string,
  server: 'panel' | 'bare',
): Promise<() => Promise<Used>> {
  const backends = await backendsOf(databaseUrl, applications[server]);
  const [before, ...databaseBefore] = await Promise.all([pid, ...backends].map(usedBy));
  return async () => {
    const [after, ...databaseAfter] = await Promise.all([pid, ...backends].map(usedBy));
    return {
      server: (after ?? 0) - (before ?? 0),
      database: databaseAfter.reduce((sum, ms, at) => sum + ms - (databaseBefore[at] ?? 0), 0),
    };
  };
}

async function backendsOf(databaseUrl: string, application: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `select pid from pg_stat_activity
      where datname = current_database() and application_name = $1`,
    [application],
  );
  await client.end();
  return rows.map((row) => row.pid);
}

async function usedBy(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // After the program's name, which may contain spaces, come user time and system time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_A_TICK;
}
