/** Intervals of the axis, at most, because more grid lines would be too close together. */
const MOST_INTERVALS = 5;

/** Round numbers from 0 up to at least `highest`, at equal distances: 0, 20, 40, 60. */
export function roundScale(highest: number): number[] {
  const least = Math.max(1, highest) / MOST_INTERVALS;
  const power = 10 ** Math.floor(Math.log10(least));
  const round = [1, 2, 5, 10].map((factor) => factor * power);
  // Steps are whole numbers, as counts and credits are.
  const step = Math.max(1, round.find((distance) => distance >= least) ?? least);
  const intervals = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: intervals + 1 }, (_, index) => index * step);
}
