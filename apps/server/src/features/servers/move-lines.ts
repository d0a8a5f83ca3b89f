import { MAX_CCCAM_NAME_BYTES } from '@linekeeper/contract/fields/line-credentials.ts';
import type * as contract from '@linekeeper/contract/servers/servers.ts';
import { sql } from 'kysely';
import { isOfFurtherPlan } from '../../db/lines-of-server.ts';
import type { Tx } from '../../db/transaction.ts';
import { auditOriginOf } from '../../domain/audit/audit.ts';
import { serverActedUpon } from '../../domain/audit/audit-subjects.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { lockReceiverLines } from '../../domain/lines/changed-addresses.ts';
import { recordDoneJob } from '../../domain/lines/jobs.ts';
import { moveAllLines } from '../../domain/lines/move-lines.ts';
import { readPlaces } from '../../domain/lines/places.ts';
import { checkSentNames, lockSharedNames, refuseNames } from '../../domain/lines/sent-names.ts';
import {
  isPlace,
  lockFreeCapacity,
  lockServers,
  reserveCapacity,
} from '../../domain/machines/servers.ts';
import type { PlainMutation } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { findServer } from './store.ts';

/** Throws NAMES_NOT_FOR_CCCAM unless the names of the job's lines, which have just been moved, go with the server. */
async function refuseUnfit(
  tx: Tx,
  from_server_id: string,
  server_id: string,
  jobId: string,
): Promise<void> {
  const rows = await tx
    .selectFrom('job_items')
    .select('username')
    .where('job_id', '=', jobId)
    .where(sql<boolean>`octet_length(username) >= ${MAX_CCCAM_NAME_BYTES}`)
    .execute();
  const given = rows.map(({ username }) => ({ server_id, username, from_server_id }));
  await lockSharedNames(tx, given);
  refuseNames(await checkSentNames(tx, given), 'to_server_id');
}

/** The number of lines of a server that are not on the other one yet, and so need a place there. */
async function countNewThere(tx: Tx, id: string, to_server_id: string): Promise<number> {
  const { lines } = await tx
    .selectFrom('users')
    .where('server_id', '=', id)
    .where(sql<boolean>`not ${isOfFurtherPlan(to_server_id)}`)
    .select(sql<number>`count(*)::integer`.as('lines'))
    .executeTakeFirstOrThrow();
  return lines;
}

/** Throws SERVER_NOT_OF_PLAN if lines of a plan would leave its servers. */
async function refuseOtherPlans(tx: Tx, id: string, to_server_id: string): Promise<void> {
  const places = await readPlaces(tx);
  const isElsewhere = [...places].flatMap(([plan_id, one]) =>
    isPlace(one, to_server_id) ? [] : plan_id,
  );
  if (isElsewhere.length === 0) return;
  const line = await tx
    .selectFrom('users')
    .select('id')
    .where('server_id', '=', id)
    .where('plan_id', 'in', isElsewhere)
    .limit(1)
    .executeTakeFirst();
  if (line) failField('to_server_id', 'SERVER_NOT_OF_PLAN');
}

/**
 * Writes an audit entry for each line, as for a move of one line, because the history of a line
 * consists of such entries.
 */
async function auditMovedLines(tx: Tx, ctx: Ctx, jobId: string): Promise<void> {
  const { actor_id, address, request_id } = auditOriginOf(ctx);
  await sql`
    insert into audit_log
        (id, actor_id, action, subject_type, subject_id, data, before, after, address, request_id)
      select gen_random_uuid(), ${actor_id}::uuid, 'line.move', 'line', line_id::text,
          jsonb_build_object('username', username, 'job_id', job_id, 'cost', 0, 'transfer_id', null),
          before - 'receivers', after - 'receivers', ${address}, ${request_id}
        from job_items where job_id = ${jobId} order by position`.execute(tx);
}

/**
 * Moves all lines of a server. The pushes to both servers are delivered in the background. Throws SERVER_NOT_FOUND,
 * NO_ACTIVE_CCCAM_SERVERS, INVALID_VALUE for the server itself, SERVER_NOT_OF_PLAN, SERVER_CLOSED, SERVER_FULL and
 * NAMES_NOT_FOR_CCCAM.
 */
export const moveLines: PlainMutation<typeof contract.moveLines> = {
  audit: {
    action: 'server.move_lines',
    subject: serverActedUpon,
    of: ({ params }) => params.id,
    data: ({ body }, { moved }) => ({ ...body, moved }),
  },
  commit: async (tx, ctx, { params: { id }, body: { to_server_id } }) => {
    if (id === to_server_id) {
      await findServer(tx, id);
      failField('to_server_id', 'INVALID_VALUE');
    }
    const [from, to] = await lockServers(tx, [id, to_server_id]);
    if (to.status !== 'active') fail('NO_ACTIVE_CCCAM_SERVERS');
    await refuseOtherPlans(tx, id, to_server_id);
    await reserveCapacity(tx, to, await countNewThere(tx, id, to_server_id), 'to_server_id');
    const entered = await lockReceiverLines(tx, from, to);
    const { job_id, total, to_tell } = await recordDoneJob(
      tx,
      ctx,
      { action: 'move', arguments: { server_id: to.id } },
      (jobId) => moveAllLines(tx, from, to, entered, jobId),
    );
    if (job_id) await refuseUnfit(tx, from.id, to.id, job_id);
    // Lines that were sold on the old server after the count have moved too.
    if ((await lockFreeCapacity(tx, to)) < 0) failField('to_server_id', 'SERVER_FULL', { left: 0 });
    if (job_id) await auditMovedLines(tx, ctx, job_id);
    return { moved: total, to_tell, job_id };
  },
};
