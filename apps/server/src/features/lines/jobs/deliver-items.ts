import { lineScope } from '../../../domain/context/access.ts';
import { settle } from '../../../domain/delivery/settle.ts';
import { lockingLines } from '../change/locked-line.ts';
import type { CarryOut } from './job-items.ts';

const nothing = { before: {}, after: {} };

/** Updates the wanted state of lines whose plan has changed. A line that was deleted since has none. */
export const deliverItems: CarryOut = async (tx, { actor }, _job, items) => {
  const ids = items.flatMap(({ line_id }) => line_id ?? []);
  // The lines are locked, so that a change in progress is waited for and included.
  await lockingLines(tx, lineScope(actor), ids).execute();
  await settle(tx, ids);
  return items.map(({ position, line_id, username }) => {
    return { position, line_id, username, state: 'done', ...nothing };
  });
};
