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
  /** As it was when the change was made: what is left to say where it was deleted meanwhile. */
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

export async function answerChange(ctx: Ctx, changed: Changed): Promise<ChangedLine> {
  const { cost, credits, pushes } = changed;
  const pushed = pushes.length > 0 ? await pushAll(ctx, pushes) : null;
  const line = (await seekLine(ctx.db, lineScope(ctx.actor), changed.line.id)) ?? changed.line;
  return { line, cost, credits, sync: pushed ?? standingSync(line) };
}
