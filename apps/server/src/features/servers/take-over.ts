import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/take-over.ts';
import { MAX_NAMED_REFUSALS } from '@linekeeper/contract/servers/take-over.ts';
import { sql } from 'kysely';
import { serverActedUpon } from '../../domain/audit/audit-subjects.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { deliverAgain, deliverLines } from '../../domain/delivery/settle.ts';
import type { LineToTakeOver, TakenOverRows } from '../../domain/machines/card-server/driver.ts';
import { lockServers } from '../../domain/machines/locked-servers.ts';
import { openDriver } from '../../domain/machines/open-driver.ts';
import { isDue, isRefusedByHand } from '../../domain/machines/server-accounts.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { findServerRow } from './store.ts';

interface Candidate {
  username: string;
  line_id: string;
  password: string;
  expiry_date: string;
  state: LineToTakeOver['state'];
  left_password: { line_id: string; password: string } | null;
  is_kept: boolean;
  is_shared: boolean;
}

/**
 * Lines of which the server has not taken a change; suspended and deleted ones too, because their rows
 * still work.
 */
async function readCandidates({ db }: Ctx, server_id: string): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select server_accounts.username, left_password, coalesce(${isRefusedByHand}, false) as is_kept,
        coalesce(last_finding ->> 'code' = 'SHARED_BY_HAND', false) as is_shared,
        coalesce(users.id::text, left_password ->> 'line_id') as line_id,
        coalesce(users.password, left_password ->> 'password') as password,
        coalesce(users.expiry_date, current_date) as expiry_date,
        case when users.id is null then 'deleted'
          when users.suspension is null then 'runs' else 'suspended' end as state
      from server_accounts left join users using (server_id, username)
      where server_accounts.server_id = ${server_id} and ${isDue}
        and (users.id is not null or left_password is not null)
      order by server_accounts.username`.execute(db);
  return rows;
}

/** Adds the line that had the name before: the row may still be the former line's, which was deleted. */
function withFormer(candidate: Candidate): Candidate[] {
  const { left_password, line_id } = candidate;
  if (!left_password || left_password.line_id === line_id) return [candidate];
  const former = { ...left_password, state: 'deleted' as const, left_password: null };
  return [
    { ...candidate, ...former },
    { ...candidate, left_password: null },
  ];
}

interface TakeOverResult extends TakenOverRows {
  /** Lines with another name by now, whose rows of before were taken. */
  renamed: string[];
}

async function askAgent(ctx: Ctx, id: string): Promise<TakeOverResult> {
  const driver = openDriver(ctx, await findServerRow(ctx.db, id));
  const candidates = (await readCandidates(ctx, id)).flatMap(withFormer);
  const namesOf = (of: (one: Candidate) => boolean) =>
    new Set(candidates.filter(of).map(({ username }) => username));
  const kept = namesOf(({ is_kept }) => is_kept);
  const shared = namesOf(({ is_shared }) => is_shared);
  // A line that has another name by now waits for its row of before.
  const gone = candidates.filter(({ state }) => state === 'deleted');
  const formerNames = new Map(gone.map(({ line_id, username }) => [line_id, username]));
  const isRenamed = ({ line_id, state }: Candidate) =>
    state !== 'deleted' && formerNames.has(line_id);
  const asked = candidates.filter((one) => !isRenamed(one));
  const lines = asked.map(({ username, line_id, password, expiry_date, state, ...line }) => ({
    ...{ username, expiry_date, state, line: line_id },
    password: ctx.secrets.open(password, line_id),
    before:
      line.left_password &&
      ctx.secrets.open(line.left_password.password, line.left_password.line_id),
  }));
  const result = await driver.takeOver(lines, ctx.stopping.signal);
  const taken = new Set(result.taken);
  const refused = [...new Map(result.refused.map((one) => [one.username, one])).values()]
    // A line that is only on its way has no row there, and nothing is wrong with that.
    .filter(({ username, reason }) => reason !== 'no_row' || kept.has(username))
    .filter(({ username }) => !taken.has(username))
    .map(({ username, reason }) => ({
      username,
      reason: reason === 'no_row' && shared.has(username) ? ('shares_first_20' as const) : reason,
    }));
  const renamed = namesOf((one) => isRenamed(one) && taken.has(formerNames.get(one.line_id) ?? ''));
  return { ...result, taken: [...taken], refused, renamed: [...renamed] };
}

/**
 * Makes rows that an operator wrote the agent's, after the operator's word, and delivers their lines again:
 * nothing has to be cut out of files by hand, and what those rows say beside name and password stays.
 */
export const takeOverRows: Mutation<typeof contract.takeOverRows, TakeOverResult, TakeOverResult> =
  {
    audit: {
      action: 'server.take_over',
      subject: serverActedUpon,
      of: ({ params }) => params.id,
      data: (_, { taken }) => ({ queued: taken.length }),
    },
    prepare: (ctx, { params }) => askAgent(ctx, params.id),
    commit: async (tx, _ctx, { params: { id } }, result) => {
      await lockServers(tx, [id]);
      await deliverLines(tx, id, [...result.taken, ...result.renamed]);
      const isTaken = sql`server_id = ${id} and username = any (${result.taken}::text[])`;
      await deliverAgain(tx, sql`${isTaken} and wanted is null and of_line is null`);
      return result;
    },
    reply: async (_, { taken, refused, finding }) => ({
      taken: taken.length,
      refused: { count: refused.length, items: refused.slice(0, MAX_NAMED_REFUSALS) },
      ...findingWithMessage(finding),
    }),
  };
