/** Which lines are chosen: by their ids, or all that a filter finds. */
export interface Selection {
  ids: ReadonlySet<string>;
  /** Where a Shift range begins: the line chosen or left out last. */
  anchor: string | null;
  /** Everything that this filter, as text, finds; the ids then say nothing. */
  allOf: string | null;
}

export const nothingSelected: Selection = { ids: new Set(), anchor: null, allOf: null };

function withLines(selection: Selection, lineIds: readonly string[], isOn: boolean): Set<string> {
  const ids = new Set(selection.ids);
  for (const id of lineIds) {
    if (isOn) ids.add(id);
    else ids.delete(id);
  }
  return ids;
}

/** The lines from one to the other in the order they are shown; none where one is not shown. */
export function rangeOf(shown: readonly string[], from: string | null, to: string): string[] {
  const ends = [shown.indexOf(from ?? to), shown.indexOf(to)].sort((a, b) => a - b);
  const [first = -1, last = -1] = ends;
  return first < 0 ? [to] : shown.slice(first, last + 1);
}

/** Chooses a line or leaves it out; with `isRange` also those between it and the one before. */
export function toggled(
  selection: Selection,
  shown: readonly string[],
  id: string,
  isRange: boolean,
): Selection {
  // Out of "all that match" one is taken: what is shown and not left out stays chosen.
  const before = selection.allOf === null ? selection : pageToggled(nothingSelected, shown, true);
  const changed = isRange ? rangeOf(shown, selection.anchor, id) : [id];
  return { ids: withLines(before, changed, !before.ids.has(id)), anchor: id, allOf: null };
}

export function pageToggled(
  selection: Selection,
  shown: readonly string[],
  isOn: boolean,
): Selection {
  const { ids } = selection.allOf === null ? selection : nothingSelected;
  return { ids: withLines({ ...selection, ids }, shown, isOn), anchor: null, allOf: null };
}

export function allMatching(filter: string): Selection {
  return { ...nothingSelected, allOf: filter };
}

/** What a filter found means something only while that filter stands. */
export function underFilter(selection: Selection, filter: string): Selection {
  return selection.allOf === null || selection.allOf === filter ? selection : nothingSelected;
}

export function isSelected({ ids, allOf }: Selection, id: string): boolean {
  return allOf !== null || ids.has(id);
}
