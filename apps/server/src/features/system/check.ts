import { type SystemFinding, systemFindingText } from '@linekeeper/contract/system.ts';
import { errorMessage } from '../../platform/errors/error-message.ts';

type Data = Record<string, string | number | null>;

/** The result of a check: figures, and a finding if something is wrong. */
export interface Found {
  finding?: SystemFinding;
  data?: Data;
}

export interface Check<Name extends string> {
  name: Name;
  look(): Promise<Found>;
  /** Says what is wrong if `look` throws. */
  whenItThrows?: SystemFinding;
}

const milliseconds = (since: number) => Math.round((performance.now() - since) * 10) / 10;

/**
 * Makes one check after the other, so that they do not slow each other down. One that throws has found
 * something: a broken database is what the report is for.
 */
export async function runChecks<Name extends string>(checks: readonly Check<Name>[]) {
  const results = [];
  for (const { name, look, whenItThrows = 'CHECK_FAILED' } of checks) {
    const startedAt = performance.now();
    const { finding = null, data = {} } = await look().catch(
      (error: unknown): Found => ({ finding: whenItThrows, data: { reason: errorMessage(error) } }),
    );
    const message = finding && systemFindingText(finding, data);
    results.push({ name, ok: !finding, ms: milliseconds(startedAt), finding, message, data });
  }
  return { ok: results.every(({ ok }) => ok), checks: results };
}
