import type { ChangedLine, Line } from '@linekeeper/contract/lines/lines.ts';
import type { Tx } from '../../../db/transaction.ts';
import { auditedLine, lineSubject } from '../../../domain/audit/audit-subjects.ts';
import { lineScope } from '../../../domain/context/access.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import { readBalance } from '../../../domain/credits/balance.ts';
import type { Charged } from '../../../domain/credits/charge.ts';
import { type PushOutcome, pushNow, syncReply } from '../../../domain/delivery/pushes.ts';
import {
  pushesOf,
  type ServerAccount,
  type SettledAccount,
} from '../../../domain/delivery/settle.ts';
import { findLine, tryFindLine } from '../list/store.ts';

/** An account to push; `part` is missing in results that version 1.8 stored. */
type Pushed = ServerAccount & { part?: SettledAccount['part'] };

/** Stored result of a committed change, from which the reply is built. */
export interface CommittedChange {
  /** The line right after this change. */
  line: Line;
  /** The accounts to push; undefined for a sale by version 1.8, which pushes only the line's own account. */
  pushes?: Pushed[];
  cost: number;
  credits: number;
  /** The job by which the change can be undone. */
  job_id: string | null;
}

type CarriedOut = Charged & { settled: readonly SettledAccount[]; job_id?: string | null };

/**
 * The result of a change of one line, read in its transaction and stored with the idempotency key, so that a repeated
 * call gets the same reply. `credits` is the balance of the acting account after the change.
 */
export async function committedChange(
  tx: Tx,
  { actor }: Pick<Ctx, 'actor'>,
  id: string,
  { cost, credits, settled, job_id = null }: CarriedOut,
): Promise<CommittedChange> {
  return {
    line: await findLine(tx, lineScope(actor), id),
    pushes: pushesOf(settled),
    cost,
    credits: credits ?? (await readBalance(tx, actor.id)),
    job_id,
  };
}

/** The part of the audit declaration that all calls which change one line have in common. */
export const auditedChange = {
  subject: lineSubject,
  after: ({ line }: Pick<CommittedChange, 'line'>) => auditedLine(line),
};

/**
 * Pushes accounts in order, and those of a line on several servers at the same time, until a server
 * does not accept one. Returns that outcome.
 */
export async function pushAll(ctx: Ctx, accounts: readonly Pushed[]): Promise<PushOutcome> {
  const isOwn = ({ part }: Pushed) => part === 'own';
  const own = accounts.filter(isOwn);
  const steps = accounts.flatMap((one) => (isOwn(one) ? (one === own[0] ? [own] : []) : [[one]]));
  for (const step of steps) {
    const pushed = await Promise.all(
      step.map(({ server_id, username }) => pushNow(ctx, server_id, username)),
    );
    const failed = pushed.find(({ ok }) => !ok);
    if (failed) return failed;
  }
  return { ok: true, finding: null };
}

/** The present sync state of the line, for a change that needs no push. */
function standingSync({ sync_state, sync_finding }: Line): PushOutcome {
  return { ok: sync_state === 'synced', finding: sync_finding };
}

/** The line's sync state for this change; after the server has applied it, later changes do not matter. */
async function syncNow(ctx: Ctx, line: Line, pushed: PushOutcome | null): Promise<Partial<Line>> {
  if (pushed?.ok) {
    const on_server = !line.suspension;
    const synced = { sync_state: 'synced', sync_message: null, sync_finding: null } as const;
    const servers = line.servers.map(({ server_id }) => ({ server_id, ...synced }));
    return { ...synced, servers, on_server };
  }
  const now = await tryFindLine(ctx.db, lineScope(ctx.actor), line.id);
  if (!now) return {};
  const { sync_state, sync_message, sync_finding, servers, on_server } = now;
  return { sync_state, sync_message, sync_finding, servers, on_server };
}

/** Pushes a change; returns the line as of this change, with the result of the push. */
export async function pushChange(
  ctx: Ctx,
  { line: changed, pushes = [changed] }: Pick<CommittedChange, 'line' | 'pushes'>,
) {
  const pushed = pushes.length > 0 ? await pushAll(ctx, pushes) : null;
  // The reply shows the line without later changes, because it confirms one change.
  const line = { ...changed, ...(await syncNow(ctx, changed, pushed)) };
  return { line, ...syncReply(pushed ?? standingSync(line)) };
}

/** The response to a change that may cost something. */
export async function replyWithSync(ctx: Ctx, changed: CommittedChange): Promise<ChangedLine> {
  const { cost, credits, job_id } = changed;
  return { ...(await pushChange(ctx, changed)), cost, credits, job_id };
}
