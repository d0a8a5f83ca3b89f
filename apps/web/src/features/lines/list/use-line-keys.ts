import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useLinePlace, useOpenLine } from '../../../shared/lines/line-place.ts';
import { useSelection } from '../../../shared/list/selection/selection-context.tsx';
import { useSingleKey } from '../../../shared/ui/use-single-key.ts';
import { focusedLine, focusRow, lineBeside } from '../line/line-rows.ts';

/**
 * Walks the list: `j` and `k` go to the next and previous line, which the panel follows while it is open,
 * and `x` marks the line. Enter is the name's own, which has the focus.
 */
export function useLineKeys(rows: readonly Line[] = []): void {
  const { openId, part } = useLinePlace();
  const { open } = useOpenLine();
  const { toggle } = useSelection();
  const current = () => openId ?? focusedLine();
  const go = (step: 1 | -1) => {
    const next = lineBeside(rows, current(), step);
    if (!next) return;
    const isInPanel = document.activeElement?.closest('aside') !== null;
    if (openId) void open(next, { part, replace: true });
    if (!openId || !isInPanel) focusRow(next);
  };
  useSingleKey('j', () => go(1));
  useSingleKey('k', () => go(-1));
  useSingleKey('x', () => {
    const id = current();
    if (id)
      toggle(
        rows.map((row) => row.id),
        id,
        false,
      );
  });
  useSingleKey('e', () => {
    const id = current();
    if (id && id !== openId) void open(id, { part: 'edit' });
  });
}
