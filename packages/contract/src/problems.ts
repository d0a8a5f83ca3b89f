import { type ErrorCode, type ErrorData, errorText, isErrorCode } from './errors.ts';

/** One thing wrong with an input, as zod reports it. */
export interface Issue {
  path: readonly PropertyKey[];
  message: string;
  maximum?: unknown;
}

export interface Problem {
  code: ErrorCode;
  data: ErrorData;
}

/** Their sentences name what would have been allowed. */
const withMaximum: ReadonlySet<ErrorCode> = new Set([
  'TOO_LONG',
  'TOO_MANY_BYTES',
  'TOO_MANY_LINES',
]);

/** The first problem of every field, by the field's dotted path; '' for the input as a whole. */
export function fieldProblems(issues: readonly Issue[]): Map<string, Problem> {
  const problems = new Map<string, Problem>();
  for (const issue of issues) {
    const field = issue.path.map(String).join('.');
    if (problems.has(field)) continue;
    const code = isErrorCode(issue.message) ? issue.message : 'INVALID_VALUE';
    problems.set(field, {
      code,
      data: withMaximum.has(code) ? { maximum: Number(issue.maximum) } : {},
    });
  }
  return problems;
}

/**
 * The problem of the request as a whole. Fields that are missing are named together under
 * `missingFieldsCode` where a call has one; otherwise the first field's problem stands for all.
 */
export function requestProblem(
  problems: ReadonlyMap<string, Problem>,
  missingFieldsCode?: ErrorCode,
): Problem {
  const missing = [...problems].filter(([, { code }]) => code === 'REQUIRED').map(([name]) => name);
  if (missingFieldsCode && missing.length > 0) {
    return { code: missingFieldsCode, data: { fields: missing.join(', ') } };
  }
  const first = problems.values().next().value;
  return first && first.code !== 'REQUIRED' && first.code !== 'INVALID_VALUE'
    ? first
    : { code: 'VALIDATION_FAILED', data: {} };
}

/** The `fields` of an error body: the exact English for every field. */
export function fieldTexts(problems: ReadonlyMap<string, Problem>): Record<string, string> {
  return Object.fromEntries(
    [...problems].map(([field, { code, data }]) => [field, errorText(code, data)]),
  );
}
