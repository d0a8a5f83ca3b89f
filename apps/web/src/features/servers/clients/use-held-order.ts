import { useEffect, useRef, useState } from 'react';

interface Row {
  id: string;
}

/** The rows in the order of the given ids, followed by new ones. */
export function heldOrder<Kept extends Row>(ids: readonly string[], rows: readonly Kept[]): Kept[] {
  const placeOf = (id: string) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
  return rows.toSorted((one, other) => placeOf(one.id) - placeOf(other.id));
}

/**
 * Keeps the order of rows while the pointer or the focus is among them, so that a click never hits a row that has just
 * moved there. `asked` identifies the query: another query's rows are not kept in place.
 */
export function useHeldOrder<Kept extends Row>(rows: readonly Kept[] | undefined, asked: string) {
  const [isHeld, setHeld] = useState(false);
  const before = useRef<{ asked: string; ids: readonly string[] }>({ asked, ids: [] });
  const keeps = isHeld && rows && before.current.asked === asked;
  const shown = keeps ? heldOrder(before.current.ids, rows) : rows;
  useEffect(() => {
    if (shown) before.current = { asked, ids: shown.map(({ id }) => id) };
  }, [asked, shown]);
  const hold = () => setHeld(true);
  const letGo = () => setHeld(false);
  return {
    shown,
    holding: { onPointerEnter: hold, onPointerLeave: letGo, onFocus: hold, onBlur: letGo },
  };
}
