import { findingWithMessage } from '@linekeeper/contract/findings.ts';
import type * as contract from '@linekeeper/contract/servers/take-over.ts';
import { MAX_NAMED_REFUSALS } from '@linekeeper/contract/servers/take-over.ts';
import { sql } from 'kysely';
import { serverActedUpon } from '../../core/audit/audit-subjects.ts';
import { type TakenOverRows, takeOver } from '../../core/card-server/take-over.ts';
import type { Ctx } from '../../core/context.ts';
import {
  isDue,
  isKeptByHand,
  lockServers,
  redeliverLines,
} from '../../core/pushes/server-accounts.ts';
import { fail } from '../../core/refusal.ts';
import type { Mutation } from '../../core/use-case.ts';
import { findServerRow } from './store.ts';

interface Candidate {
  id: string;
  username: string;
  password: string;
  expiry_date: string;
  is_suspended: boolean;
  is_kept: boolean;
}

/** Lines of which the server has not taken a change, suspended ones too, because their rows still work. */
async function readCandidates({ db }: Ctx, server_id: string): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select users.id, users.username, users.password, users.expiry_date,
        users.suspension is not null as is_suspended, coalesce(${isKeptByHand}, false) as is_kept
      from users join server_accounts using (server_id, username)
      where users.server_id = ${server_id} and ${isDue}
      order by users.username`.execute(db);
  return rows;
}

async function askAgent(ctx: Ctx, id: string): Promise<TakenOverRows> {
  const row = (await findServerRow(ctx.db, id)) ?? fail('SERVER_NOT_FOUND');
  const server = { ...row, password: ctx.secrets.open(row.password, row.id) };
  const candidates = await readCandidates(ctx, id);
  const kept = new Set(candidates.filter(({ is_kept }) => is_kept).map(({ username }) => username));
  const lines = candidates.map(({ id: line_id, username, password, ...line }) => ({
    ...{ username, expiry_date: line.expiry_date, is_suspended: line.is_suspended },
    password: ctx.secrets.open(password, line_id),
  }));
  const told = await takeOver(ctx.outbound, server, lines, ctx.stopping.signal);
  // A line that is only on its way has no row there, and nothing is wrong with that.
  const refused = told.refused.filter(
    ({ username, reason }) => reason !== 'no_row' || kept.has(username),
  );
  return { ...told, refused };
}

/**
 * Makes rows that an operator wrote the agent's, after the operator's word, and delivers their lines again:
 * nothing has to be cut out of files by hand, and what those rows say beside name and password stays.
 */
export const takeOverRows: Mutation<typeof contract.takeOverRows, TakenOverRows, TakenOverRows> = {
  audit: {
    action: 'server.take_over',
    subject: serverActedUpon,
    of: ({ params }) => params.id,
    data: (_, { taken }) => ({ queued: taken.length }),
  },
  prepare: (ctx, { params }) => askAgent(ctx, params.id),
  commit: async (tx, _ctx, { params: { id } }, told) => {
    await lockServers(tx, [id]);
    await redeliverLines(tx, id, told.taken);
    return told;
  },
  reply: async (_, { taken, refused, finding }) => ({
    taken: taken.length,
    refused: { count: refused.length, items: refused.slice(0, MAX_NAMED_REFUSALS) },
    ...findingWithMessage(finding),
  }),
};
