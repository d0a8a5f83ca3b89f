import { sql } from 'kysely';
import type { ServerRow } from '../../db/schema/schema.ts';
import { ClaimLoop } from '../../platform/jobs/claim-loop.ts';
import type { Background } from '../../platform/jobs/poller.ts';
import type { Services } from '../context/context.ts';
import { claimPushes, isTimeToTry, isUnclaimed } from '../delivery/push-claims.ts';
import { tryPush } from '../delivery/pushes.ts';
import { claimLooks, lookAgain } from '../machines/agent-reports.ts';
import { isDue } from '../machines/server-accounts.ts';
import { checkServer, claimChecks } from './server-checks.ts';

/** Calls to one server at the same time. */
const PUSHES_PER_SERVER = 8;
const SERVERS_AT_A_TIME = 8;

/**
 * The background calls of a panel to card servers: due pushes, the check of every server once a
 * minute, and another look at servers that had not loaded all of their changes.
 */
export function deliveryLoops(services: Services): Background[] {
  const { db, log } = services;
  const about = ({ id }: Pick<ServerRow, 'id'>) => ({ server_id: id });
  const checks = new ClaimLoop<ServerRow[]>(
    {
      name: 'server check',
      every_ms: 5000,
      at_a_time: SERVERS_AT_A_TIME,
      claim: (limit) => claimChecks(services, limit),
      work: (entries) => checkServer(services, ...entries),
      about: ([server]) => ({ server_id: server?.id }),
    },
    log,
  );
  const looks = new ClaimLoop<ServerRow>(
    {
      name: 'look at a server',
      every_ms: 2000,
      at_a_time: SERVERS_AT_A_TIME,
      claim: (limit) => claimLooks(db, limit),
      work: (server) => lookAgain(services, server),
      about,
    },
    log,
  );
  return [pushLoop(services), checks, looks];
}

/** Delivers due pushes in the background. Each push is leased to one panel, and each server has one task. */
function pushLoop(services: Services): Background {
  const { connection, db, log } = services;
  /** Delivers one server's due pushes, some at a time, until none is left. */
  const serve = async (server_id: string, stopping: AbortSignal) => {
    while (!stopping.aborted && !connection.isDiskLow()) {
      const due = sql`server_id = ${server_id} and ${isTimeToTry}`;
      const claims = await claimPushes(db, due, PUSHES_PER_SERVER);
      if (claims.length === 0) return;
      await Promise.all(claims.map((push) => tryPush(services, push)));
    }
  };
  return new ClaimLoop<{ server_id: string }>(
    {
      name: 'push loop',
      every_ms: 2000,
      at_a_time: Number.POSITIVE_INFINITY,
      claim: async (_, running) => {
        if (connection.isDiskLow()) return [];
        const rows = await db
          .selectFrom('server_accounts')
          .select('server_id')
          .distinct()
          .where(sql<boolean>`${isDue} and ${isTimeToTry} and ${isUnclaimed}`)
          .execute();
        return rows.filter((due) => !running.some(({ server_id }) => server_id === due.server_id));
      },
      work: ({ server_id }, stopping) => serve(server_id, stopping),
      about: ({ server_id }) => ({ server_id }),
    },
    log,
  );
}
