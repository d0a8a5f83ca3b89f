import type { ChangedLine, Line } from '@linekeeper/contract/lines/lines.ts';
import type { Tx } from '../../../db/transaction.ts';
import { auditedLine, lineSubject } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { readBalance } from '../../../domain/credits/balance.ts';
import { type PushOutcome, pushNow, syncReply } from '../../../domain/delivery/pushes.ts';
import { pushesOf } from '../../../domain/delivery/settle.ts';
import { findLine, tryFindLine } from '../list/store.ts';
import type { Carried } from './change-row.ts';

/** A server and a name whose wanted state was changed. */
export interface PushTarget {
  server_id: string;
  username: string;
}

/** Stored result of a committed change, from which the reply is built. */
export interface CommittedChange {
  /** State right after this change. */
  line: Line;
  cost: number;
  credits: number;
  pushes: PushTarget[];
  /** The job that an undo of it names; a panel of the version before has stored none. */
  job_id?: string | null;
}

/** The stored result of a change of one line, by what carried it out; without that nothing changed. */
export async function committedChange(
  tx: Tx,
  { actor }: Pick<Ctx, 'actor'>,
  id: string,
  carried: Partial<Carried> = {},
  job_id: string | null = null,
): Promise<CommittedChange> {
  const { cost = 0, settled = [], credits } = carried;
  return {
    line: await findLine(tx, lineScope(actor), id),
    cost,
    credits: credits ?? (await readBalance(tx, actor.id)),
    pushes: pushesOf(settled),
    job_id,
  };
}

/** How a change of one line is audited. */
export const auditedChange = {
  subject: lineSubject,
  of: ({ params }: { params: { id: string } }) => params.id,
  after: ({ line }: Pick<CommittedChange, 'line'>) => auditedLine(line),
};

/** Pushes in order, up to the first that its server does not take, and returns that. */
export async function pushAll(ctx: Ctx, targets: readonly PushTarget[]): Promise<PushOutcome> {
  for (const { server_id, username } of targets) {
    const pushed = await pushNow(ctx, server_id, username);
    if (!pushed.ok) return pushed;
  }
  return { ok: true, finding: null };
}

/** A change that needs no push leaves the line's sync state unchanged. */
function standingSync({ sync_state, sync_finding = null }: Line): PushOutcome {
  return { ok: sync_state === 'synced', finding: sync_finding };
}

/** The sync state for this change; once the server has applied it, later changes do not matter. */
async function syncNow(ctx: Ctx, line: Line, pushed: PushOutcome | null): Promise<Partial<Line>> {
  if (pushed?.ok) {
    const on_server = !line.suspension;
    return { sync_state: 'synced', sync_message: null, sync_finding: null, on_server };
  }
  const now = await tryFindLine(ctx.db, lineScope(ctx.actor), line.id);
  if (!now) return {};
  const { sync_state, sync_message, sync_finding, on_server } = now;
  return { sync_state, sync_message, sync_finding, on_server };
}

export async function replyWithSync(ctx: Ctx, changed: CommittedChange): Promise<ChangedLine> {
  const { cost, credits, pushes, job_id = null } = changed;
  const pushed = pushes.length > 0 ? await pushAll(ctx, pushes) : null;
  // The line as of this change, even if others changed it since, because the reply confirms one
  // change.
  const line = { ...changed.line, ...(await syncNow(ctx, changed.line, pushed)) };
  return { line, cost, credits, job_id, ...syncReply(pushed ?? standingSync(line)) };
}
