import type { NewcamdPort } from '@linekeeper/contract/fields/receiver-fields.ts';
import { lacksPorts } from '@linekeeper/contract/lines/receivers.ts';
import type * as contract from '@linekeeper/contract/servers/servers.ts';
import { type Insertable, sql } from 'kysely';
import type { CccamServersTable } from '../../db/schema/server-schema.ts';
import type { Tx } from '../../db/transaction.ts';
import { serverSubject } from '../../domain/audit/audit-subjects.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { deliverAgain, isThereInDoubt } from '../../domain/delivery/settle.ts';
import { lockReceiverLines } from '../../domain/lines/changed-addresses.ts';
import { recordDoneJob } from '../../domain/lines/jobs.ts';
import { replaceAddress, type ServerAddress } from '../../domain/lines/move-lines.ts';
import { refuseUnfitServer } from '../../domain/lines/sent-names.ts';
import { hasAddressChanged, joinMachine } from '../../domain/machines/same-machine.ts';
import { isOfSuspended } from '../../domain/machines/server-accounts.ts';
import { endIncident } from '../../domain/machines/server-health.ts';
import {
  defaultHostPort,
  findServerRow,
  lockAgainstSales,
  lockServers,
  reachedColumns,
  withPassword,
} from '../../domain/machines/servers.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { fail, failField } from '../../platform/errors/refusal.ts';
import { addressOf, parseHost } from '../../platform/http-client/address.ts';
import { newId } from '../../platform/ids.ts';
import { testAdded } from './ask-server.ts';
import { findServer } from './store.ts';

type Saved = { id: string };

interface Deleted extends Saved {
  /** Pending deletions on the server, which are discarded. */
  forgotten_deletions: number;
}

/** Checks the host names of a server that is to be stored. Throws INVALID_HOST at the field. */
export function checkHosts(given: { host_ip?: string; public_host?: string | null }): void {
  for (const field of ['host_ip', 'public_host'] as const) {
    const host = given[field];
    if (typeof host === 'string' && !parseHost(host)) failField(field, 'INVALID_HOST');
  }
}

/** The column of the NewCamd ports, which are stored as JSON. */
function storedPorts(newcamd_ports: readonly NewcamdPort[] | undefined) {
  return newcamd_ports === undefined ? {} : { newcamd_ports: JSON.stringify(newcamd_ports) };
}

type NewServer = Omit<Insertable<CccamServersTable>, 'id' | 'user_id' | 'newcamd_ports'> & {
  newcamd_ports?: readonly NewcamdPort[];
};

/**
 * Stores a new server and returns its ID. Its password is given in plain text and encrypted here; its host names must
 * have passed `checkHosts`. The server stays inactive until a test of it succeeds.
 */
export async function insertServer(
  tx: Tx,
  { actor, secrets }: Ctx,
  { newcamd_ports, ...server }: NewServer,
): Promise<Saved> {
  const id = newId();
  const password = secrets.seal(server.password, id);
  const values = { ...server, ...storedPorts(newcamd_ports), id, password, user_id: actor.id };
  await tx.insertInto('cccam_servers').values(values).execute();
  return { id };
}

/** Adds a server, tests its connection and returns it with the result. Throws INVALID_HOST. */
export const createServer: Mutation<typeof contract.createServer, Saved> = {
  audit: { action: 'server.create', subject: serverSubject, made: ({ id }) => id },
  commit: async (tx, ctx, { body }) => {
    checkHosts(body);
    return insertServer(tx, ctx, body);
  },
  reply: async (ctx, { id }) => {
    await testAdded(ctx, id);
    return { server: await findServer(ctx.db, id) };
  },
};

/** Values that clear the results of earlier checks, which belong to the machine at the old address. */
const untested = {
  status: 'inactive',
  status_finding: null,
  latency_ms: null,
  failures: 0,
  good_checks: 0,
  instance: null,
  repaired_at: null,
  reload: null,
  zone: null,
  server_day: null,
  names_by_hand: null,
  day_finding: null,
  agent_version: null,
  reload_look_at: null,
} as const;

interface Edited extends Saved {
  /** Lines whose customers must change the receiver. */
  to_tell: number;
  job_id: string | null;
}

/**
 * Gives the server's lines its new address for customers if they had the old one, and records that
 * customers must change a setting of their receiver: address, port, key or protocol.
 */
async function readdressLines(
  tx: Tx,
  ctx: Ctx,
  before: ServerAddress,
  after: ServerAddress,
): Promise<Pick<Edited, 'to_tell' | 'job_id'>> {
  const nothing = { to_tell: 0, job_id: null };
  const entered = await lockReceiverLines(tx, before, after);
  const isAtOne = defaultHostPort(before) === defaultHostPort(after);
  if (isAtOne && entered.every(({ old_lines }) => old_lines === null)) return nothing;
  const { to_tell, job_id } = await recordDoneJob(
    tx,
    ctx,
    { action: 'readdress', arguments: { server_id: after.id } },
    (jobId) => replaceAddress(tx, before, after, entered, jobId),
  );
  return { to_tell, job_id };
}

/** The fields of a change that change how the server is reached. */
const reachedFields = [...reachedColumns, 'api_port'] as const;

/**
 * Changes a server's settings, delivers its lines again if their accounts are affected, and records which customers
 * must change their receivers. Throws SERVER_NOT_FOUND, INVALID_HOST, REQUIRED and NAMES_NOT_FOR_CCCAM.
 */
export const editServer: Mutation<typeof contract.editServer, Edited> = {
  audit: {
    action: 'server.edit',
    subject: serverSubject,
    of: ({ params }) => params.id,
    // The names of changed fields are listed, because the states before and after do not contain the password.
    data: ({ body }) => ({ fields: Object.keys(body) }),
  },
  commit: async (tx, ctx, { params: { id }, body }) => {
    const { secrets } = ctx;
    checkHosts(body);
    const { password, newcamd_ports, same_machine_as, ...changes } = body;
    const given = reachedFields.filter((field) => body[field] !== undefined);
    // The lock keeps out sales, which could go to the old address and count as delivered to the new
    // one, or have a name that the new protocol does not allow.
    if (given.length > 0 || body.kind) await lockAgainstSales(tx, id);
    const [before] = await lockServers(tx, [id]);
    const kind = body.kind ?? before.kind;
    // OSCam's web interface may be open to everyone who reaches it, but an agent needs a sign-in.
    if (kind === 'api') {
      const asked = { ...withPassword(secrets, await findServerRow(tx, id)), ...body };
      if (asked.username === '') failField('username', 'REQUIRED');
      if (asked.password === '') failField('password', 'REQUIRED');
    }
    const moved = { ...before, ...Object.fromEntries(given.map((field) => [field, body[field]])) };
    if (body.closed_to_new_lines === false && lacksPorts(moved)) {
      failField('newcamd_ports', 'REQUIRED');
    }
    // A server with a new address or a new kind sells nothing until a test succeeds.
    const hasNewKind = kind !== before.kind;
    const isUntested = hasAddressChanged(before, moved) || hasNewKind;
    const { machine_id } = await tx
      .updateTable('cccam_servers')
      .set({
        ...changes,
        ...storedPorts(newcamd_ports),
        ...(isUntested ? untested : {}),
        ...(password === undefined ? {} : { password: secrets.seal(password, id) }),
        updated_at: sql`now()`,
      })
      .where('id', '=', id)
      .returning('machine_id')
      .executeTakeFirstOrThrow();
    const after = { ...moved, machine_id };
    if (isUntested) {
      await endIncident(tx, id);
      // If only the kind changes, the server keeps its address, and so its accounts.
      const hasNewHost = addressOf(before.host_ip) !== addressOf(after.host_ip);
      const isOtherMachine = !hasNewKind || hasNewHost;
      const keepsSuspended = sql`(${kind === 'oscam_webif'} or not ${isOfSuspended})`;
      await deliverAgain(
        tx,
        sql`server_id = ${id} and ${keepsSuspended}`,
        isOtherMachine ? isOfSuspended : isThereInDoubt,
      );
    }
    await refuseUnfitServer(tx, before, after);
    if (same_machine_as !== undefined) await joinMachine(tx, id, same_machine_as);
    if (given.length === 0) return { id, to_tell: 0, job_id: null };
    return { id, ...(await readdressLines(tx, ctx, before, after)) };
  },
  reply: async ({ db }, { id, to_tell, job_id }) => ({
    server: await findServer(db, id),
    to_tell,
    job_id,
  }),
};

/** Refuses a server that a plan contains. Throws SERVER_IN_PLAN. */
async function refuseInPlan(tx: Tx, server_id: string): Promise<void> {
  const plan = await tx
    .selectFrom('plans')
    .innerJoin('plan_servers', 'plan_servers.plan_id', 'plans.id')
    .select('name')
    .where('server_id', '=', server_id)
    .executeTakeFirst();
  if (plan) fail('SERVER_IN_PLAN', { plan_name: plan.name });
}

/**
 * Deletes a server without lines. Its pending deletions are discarded if the caller agrees. Throws SERVER_NOT_FOUND,
 * SERVER_HAS_LINES, SERVER_IN_PLAN and SERVER_HAS_DELETIONS.
 */
export const deleteServer: Mutation<typeof contract.deleteServer, Deleted> = {
  audit: {
    action: 'server.delete',
    subject: serverSubject,
    of: ({ params }) => params.id,
    data: (_, { forgotten_deletions }) => ({ forgotten_deletions }),
  },
  commit: async (tx, _ctx, { params: { id }, query: { force = false } }) => {
    // The server is locked first, so that a concurrent sale on it is waited for and counted.
    await lockAgainstSales(tx, id);
    const { line_count, deletions_due } = await findServer(tx, id);
    if (line_count > 0) fail('SERVER_HAS_LINES', { count: line_count });
    await refuseInPlan(tx, id);
    if (deletions_due > 0 && !force) fail('SERVER_HAS_DELETIONS', { count: deletions_due });
    await tx.deleteFrom('cccam_servers').where('id', '=', id).execute();
    return { id, forgotten_deletions: deletions_due };
  },
  reply: async () => ({ success: true }),
};
