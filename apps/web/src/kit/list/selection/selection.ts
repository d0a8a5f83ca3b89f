/** The selected lines: by id, or all that match the filters. */
export interface Selection {
  ids: ReadonlySet<string>;
  /** Start of a Shift range: the line toggled last. */
  anchor: string | null;
  /** True if all matching lines on every page are selected; `ids` is then ignored. */
  isAll: boolean;
}

export const nothingSelected: Selection = { ids: new Set(), anchor: null, isAll: false };
export const allMatching: Selection = { ...nothingSelected, isAll: true };

function withLines(selection: Selection, lineIds: readonly string[], isOn: boolean): Set<string> {
  const ids = new Set(selection.ids);
  for (const id of lineIds) {
    if (isOn) ids.add(id);
    else ids.delete(id);
  }
  return ids;
}

/** The shown lines between two ids, inclusive; only `to` if either is not shown. */
export function rangeOf(shown: readonly string[], from: string | null, to: string): string[] {
  const ends = [shown.indexOf(from ?? to), shown.indexOf(to)].sort((a, b) => a - b);
  const [first = -1, last = -1] = ends;
  return first < 0 ? [to] : shown.slice(first, last + 1);
}

/** Selects or deselects a line; with `isRange` also all lines from the anchor to this line. */
export function toggled(
  selection: Selection,
  shown: readonly string[],
  id: string,
  isRange: boolean,
): Selection {
  // Deselecting one row of "all matching" keeps the other shown rows selected.
  const before = selection.isAll ? pageToggled(nothingSelected, shown, true) : selection;
  const changed = isRange ? rangeOf(shown, selection.anchor, id) : [id];
  return { ids: withLines(before, changed, !before.ids.has(id)), anchor: id, isAll: false };
}

export function pageToggled(
  selection: Selection,
  shown: readonly string[],
  isOn: boolean,
): Selection {
  const { ids } = selection.isAll ? nothingSelected : selection;
  return { ids: withLines({ ...selection, ids }, shown, isOn), anchor: null, isAll: false };
}

/**
 * Removes ids that are not in `matchingIds`, the ids of all matching rows: a selected line may no longer
 * match after it was renewed or deleted. Returns the same object if nothing is removed.
 */
export function intersectSelection(
  selection: Selection,
  matchingIds: readonly string[],
): Selection {
  if (selection.isAll) return matchingIds.length > 0 ? selection : nothingSelected;
  const lost = [...selection.ids].filter((id) => !matchingIds.includes(id));
  return lost.length > 0 ? { ...selection, ids: withLines(selection, lost, false) } : selection;
}

export function isSelected({ ids, isAll }: Selection, id: string): boolean {
  return isAll || ids.has(id);
}
