import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/take-over.ts';
import { MAX_NAMED_REFUSALS } from '@linekeeper/contract/servers/take-over.ts';
import { sql } from 'kysely';
import { isOnServer } from '../../db/lines-of-server.ts';
import { serverActedUpon } from '../../domain/audit/audit-subjects.ts';
import type { Ctx } from '../../domain/context/context.ts';
import { deliverAgain, deliverLines } from '../../domain/delivery/settle.ts';
import type { LineToTakeOver, TakenOverRows } from '../../domain/machines/card-server/driver.ts';
import { openDriver } from '../../domain/machines/open-driver.ts';
import { isDue, isRefusedByHand } from '../../domain/machines/server-accounts.ts';
import { findServerRow, lockServers } from '../../domain/machines/servers.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';

interface Candidate {
  username: string;
  line_id: string;
  password: string;
  expiry_date: string;
  state: LineToTakeOver['state'];
  /** The line's password that was delivered last. */
  before: string | null;
  /** The former name of the line, whose row is to be taken over first. */
  former_name: string | null;
  is_kept: boolean;
  is_shared: boolean;
}

/**
 * Lines whose change the server has not accepted. Suspended lines are among them, because their rows still work, and
 * also lines that were deleted or renamed: a row with their former name may still be theirs.
 */
async function readCandidates({ db }: Ctx, server_id: string): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with due as (
      select server_accounts.username, coalesce(${isRefusedByHand}, false) as is_kept,
          coalesce(last_finding ->> 'code' = 'SHARED_BY_HAND', false) as is_shared,
          users.id::text as line_id, users.password, users.expiry_date, users.suspension,
          left_password ->> 'line_id' as former_id, left_password ->> 'password' as former_password
        from server_accounts left join users on users.username = server_accounts.username
          and ${isOnServer(sql.ref('server_accounts.server_id'))}
        where server_accounts.server_id = ${server_id} and ${isDue}),
    former as (
      select username, is_kept, is_shared, former_id as line_id, former_password as password,
          current_date as expiry_date, 'deleted' as state
        from due where former_id is not null and former_id is distinct from line_id)
    select former.*, null as before, null as former_name from former
    union all
    select username, is_kept, is_shared, line_id, password, expiry_date,
        case when suspension is null then 'runs' else 'suspended' end,
        case when former_id = line_id then former_password end,
        (select max(former.username) from former where former.line_id = due.line_id)
      from due where line_id is not null
      order by username, state`.execute(db);
  return rows;
}

interface TakeOverResult extends TakenOverRows {
  /** Lines whose rows with a former name were taken over. */
  renamed: string[];
}

async function askAgent(ctx: Ctx, id: string): Promise<TakeOverResult> {
  const driver = openDriver(ctx, await findServerRow(ctx.db, id));
  const candidates = await readCandidates(ctx, id);
  const lines = candidates
    .filter(({ former_name }) => former_name === null)
    .map(({ username, line_id, password, expiry_date, state, before }) => ({
      username,
      expiry_date,
      state,
      line: line_id,
      password: ctx.secrets.open(password, line_id),
      before: before && ctx.secrets.open(before, line_id),
    }));
  const result = await driver.takeOver(lines, ctx.stopping.signal);
  const taken = new Set(result.taken);
  const byName = new Map(candidates.map((one) => [one.username, one]));
  const lastOf = new Map(result.refused.map((one) => [one.username, one]));
  const refused = [...lastOf.values()].flatMap(({ username, reason }) => {
    const { is_kept = false, is_shared = false } = byName.get(username) ?? {};
    // A line that was not delivered yet has no row there, which is no problem.
    if (taken.has(username) || (reason === 'no_row' && !is_kept)) return [];
    const isNeighbour = reason === 'no_row' && is_shared;
    return [{ username, reason: isNeighbour ? ('shares_first_20' as const) : reason }];
  });
  const renamed = candidates
    .filter(({ former_name }) => former_name !== null && taken.has(former_name))
    .map(({ username }) => username);
  return { ...result, taken: [...taken], refused, renamed };
}

/**
 * Takes over rows that an operator wrote, with the operator's consent, and delivers their lines again. The operator
 * need not remove anything from the files, and the rows keep their other settings. Throws SERVER_NOT_FOUND.
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
