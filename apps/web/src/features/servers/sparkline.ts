import type { ServerCheck } from '@linekeeper/contract/servers.ts';

export const SPARK_WIDTH = 296;
export const SPARK_HEIGHT = 48;
const TOP = 4;
/** A few milliseconds up and down are a calm line, not mountains. */
const LEAST_RANGE_MS = 60;
const MOST_POINTS = 60;

/** The latencies of the tests that had one, the last of them. */
export function measuredChecks(checks: readonly ServerCheck[]): number[] {
  return checks
    .flatMap(({ latency_ms }) => (latency_ms === null ? [] : [latency_ms]))
    .slice(-MOST_POINTS);
}

/** The paths of a line through the values, evenly spaced, and of the area below it. */
export function sparkline(values: readonly number[]): { line: string; area: string } {
  const lowest = Math.min(...values);
  const range = Math.max(LEAST_RANGE_MS, Math.max(...values) - lowest);
  // The lowest value lies above the ground, so that its area is seen.
  const ground = SPARK_HEIGHT * 0.7;
  const points = values.map((value, index) => {
    const x = (index / Math.max(1, values.length - 1)) * SPARK_WIDTH;
    const y = ground - ((value - lowest) / range) * (ground - TOP);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  const line = `M${points.join('L')}`;
  return { line, area: `${line}V${SPARK_HEIGHT}H0Z` };
}
