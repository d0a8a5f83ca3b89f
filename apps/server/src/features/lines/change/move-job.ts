import type { Tx } from '../../../db/transaction.ts';
import type { Ctx } from '../../../domain/context/context.ts';
import type { ChangedLines } from '../../../domain/lines/changed-addresses.ts';
import { insertJob } from '../../../domain/lines/jobs.ts';
import type { Assignment } from './assign-line.ts';
import { differing, withReceivers } from './differences.ts';
import type { LockedLine } from './locked-line.ts';

/**
 * The move of one line as a job that has ended, so that it is undone and its customer told like those of any other.
 * Returns its id; null where the line stays on its server.
 */
export async function insertMoveJob(
  tx: Tx,
  { actor, address, request_id }: Ctx,
  line: LockedLine,
  assignment: Assignment,
  changed: ChangedLines | null,
): Promise<string | null> {
  const moved = differing(line, { ...assignment });
  if (!moved || assignment.server_id === line.server_id) return null;
  const { server_id, owner_id } = moved.after;
  return insertJob(
    tx,
    {
      account_id: actor.id,
      action: 'move',
      arguments: { server_id, ...(owner_id ? { owner_id } : {}) },
      state: 'done',
      address,
      request_id,
    },
    [
      {
        ...withReceivers(moved, changed),
        position: 1,
        line_id: line.id,
        username: line.username,
        state: 'done',
        error: null,
      },
    ],
  );
}
