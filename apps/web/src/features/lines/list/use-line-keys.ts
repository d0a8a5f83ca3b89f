import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useLinePlace, useOpenLine } from '#domain/lines/line-place.ts';
import { focusedLine, focusRow, lineBeside } from '#features/lines/line/line-rows.ts';
import { useSelection } from '#kit/list/selection/selection-context.tsx';
import { useSingleKey } from '#kit/ui/use-single-key.ts';

/**
 * Keyboard shortcuts of the list: `j` and `k` go to the next and previous line, which the panel beside the list shows
 * while it is open, and `x` selects the line. Enter opens the line, because its name, a link, has the focus.
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
