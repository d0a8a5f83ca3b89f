import type { ChangedLine, Line, Sync } from '@linekeeper/contract/lines.ts';
import { lineScope } from '../../core/access.ts';
import type { Ctx } from '../../core/context.ts';
import { pushNow } from '../../core/pushes.ts';
import { seekLine } from './store.ts';

/** A name on a server whose wanted state a change has written. */
export interface PushTarget {
  server_id: string;
  username: string;
}

/** What a committed change leaves behind to answer with. */
export interface Changed {
  /** As this change left it. */
  line: Line;
  cost: number;
  credits: number;
  pushes: PushTarget[];
}

/** Tries every server the change concerns; the first that would not take it is the answer. */
export async function pushAll(ctx: Ctx, targets: readonly PushTarget[]): Promise<Sync> {
  const results = await Promise.all(
    targets.map(({ server_id, username }) => pushNow(ctx, server_id, username)),
  );
  return results.find(({ ok }) => !ok) ?? { ok: true, message: null };
}

/** A change that no server needs to hear of leaves the line as far behind as it was. */
function standingSync({ sync_state, sync_message }: Line): Sync {
  return { ok: sync_state === 'synced', message: sync_message };
}

/** How far the server is with this change; where it took it, later ones do not matter here. */
async function syncNow(ctx: Ctx, line: Line, pushed: Sync | null): Promise<Partial<Line>> {
  if (pushed?.ok) return { sync_state: 'synced', sync_message: null };
  const now = await seekLine(ctx.db, lineScope(ctx.actor), line.id);
  return now ? { sync_state: now.sync_state, sync_message: now.sync_message } : {};
}

export async function answerChange(ctx: Ctx, changed: Changed): Promise<ChangedLine> {
  const { cost, credits, pushes } = changed;
  const pushed = pushes.length > 0 ? await pushAll(ctx, pushes) : null;
  // The line as this change left it, whatever others have made of it since: a receipt is about one thing.
  const line = { ...changed.line, ...(await syncNow(ctx, changed.line, pushed)) };
  return { line, cost, credits, sync: pushed ?? standingSync(line) };
}
