import type { SizedColumn, Width } from './column.ts';

type Fit = 'wide' | 'narrow' | 'scrolls';
type Sized = Pick<SizedColumn<never>, 'id' | 'kind' | 'look' | 'width'>;

function widthFor(fit: Fit, { size, min = size, scrolled = size }: Width): number {
  if (fit === 'narrow') return min;
  return fit === 'scrolls' ? scrolled : size;
}

/**
 * The way in which columns fit a frame of that many pixels, and the width of each. Columns with sentences get the
 * remaining width; if there are none, columns with a maximum share it, and a name without a maximum keeps half.
 */
export function columnWidths(columns: readonly Sized[], frameWidth: number) {
  const needed = (fit: Fit) => columns.reduce((sum, { width }) => sum + widthFor(fit, width), 0);
  const fit =
    needed('wide') <= frameWidth ? 'wide' : needed('narrow') <= frameWidth ? 'narrow' : 'scrolls';
  const named = columns.find(({ kind }) => kind === 'name');
  const canGrow = columns.filter(
    (column) => column !== named && (column.width.max ?? 0) > widthFor(fit, column.width),
  );
  const sentences = canGrow.filter(({ look }) => look === 'words');
  const growing = sentences.length > 0 ? sentences : canGrow;
  // Before it is measured, the frame is infinite, and there is no remaining width to share.
  const left = Number.isFinite(frameWidth) ? Math.max(0, frameWidth - needed(fit)) : 0;
  const isWhole = sentences.length > 0 || named?.width.max !== undefined;
  const share = Math.floor((isWhole ? left : left / 2) / Math.max(1, growing.length));
  const widths = new Map(
    columns.map((column) => {
      const width = widthFor(fit, column.width);
      const { max = width } = column.width;
      return [column.id, growing.includes(column) ? Math.min(width + share, max) : width];
    }),
  );
  const total = [...widths.values()].reduce((sum, width) => sum + width, 0);
  return { fit, widths, total };
}
