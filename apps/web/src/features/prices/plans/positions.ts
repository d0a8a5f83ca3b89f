interface Placed {
  id: string;
  position: number;
}

const STEP = 10;
const MOST = 1000;

/**
 * The changed positions that put a plan at a place, counted from 1, among the others in their
 * order: its own, and positions of others if there is no number left between two of them.
 */
export function positionsAt(
  others: readonly Placed[],
  place: number,
): { own: number; others: Placed[] } {
  const before = others[place - 2]?.position ?? -1;
  const after = others[place - 1]?.position ?? before + 2 * STEP;
  const own = before + Math.floor((after - before) / 2);
  if (own > before && own <= MOST) return { own, others: [] };
  const moved = others.map(({ id, position }, index) => ({
    id,
    position: (index + (index < place - 1 ? 1 : 2)) * STEP,
    was: position,
  }));
  return {
    own: place * STEP,
    others: moved.flatMap(({ was, ...to }) => (was === to.position ? [] : to)),
  };
}
