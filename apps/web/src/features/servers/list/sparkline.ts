export const SPARK_WIDTH = 296;
export const SPARK_HEIGHT = 48;
const TOP = 4;
/** Minimum range of the axis, so that a line or two more look flat. */
const LEAST_RANGE = 8;

/** SVG paths of a line through evenly spaced values, and of the area below. */
export function sparkline(values: readonly number[]): { line: string; area: string } {
  const lowest = Math.min(...values);
  const range = Math.max(LEAST_RANGE, Math.max(...values) - lowest);
  // The lowest value is drawn above the bottom so that its area is visible.
  const ground = SPARK_HEIGHT * 0.7;
  const points = values.map((value, index) => {
    const x = (index / Math.max(1, values.length - 1)) * SPARK_WIDTH;
    const y = ground - ((value - lowest) / range) * (ground - TOP);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  const line = `M${points.join('L')}`;
  return { line, area: `${line}V${SPARK_HEIGHT}H0Z` };
}
