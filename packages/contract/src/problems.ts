import { type ErrorCode, type ErrorData, errorText } from './errors.ts';

/** One problem with an input, as zod reports it. */
export interface Issue {
  path: readonly PropertyKey[];
  message: string;
  minimum?: unknown;
  maximum?: unknown;
  code?: string | undefined;
  /** Values for the placeholders in the sentences of this contract's own rules. */
  params?: Record<string, unknown> | undefined;
  /** Names of the unknown fields, for `unrecognized_keys`. */
  keys?: readonly string[];
  /** The issues of each member, for a union. */
  errors?: readonly (readonly Issue[])[];
}

export interface Problem {
  code: ErrorCode;
  data: ErrorData;
}

/** Errors whose sentence states the maximum. */
const withMaximum: ReadonlySet<ErrorCode> = new Set([
  'NUMBER_TOO_LARGE',
  'TOO_LONG',
  'TOO_MANY_BYTES',
  'TOO_MANY_LINES',
  'TOO_MANY_VALUES',
]);

/** Unknown fields in a response, at most; a body may have thousands. */
const MOST_UNKNOWN_FIELDS = 50;

/** One issue for each unknown field. */
function unknownFields({ path, keys = [] }: Issue): Issue[] {
  return keys
    .slice(0, MOST_UNKNOWN_FIELDS)
    .map((key) => ({ path: [...path, key], message: 'UNKNOWN_FIELD' }));
}

/**
 * The issues of a union. If one member fails only because of unknown fields, it was the intended
 * one, so its unknown fields are reported.
 */
function plainIssues(issue: Issue): Issue[] {
  if (issue.code === 'unrecognized_keys') return unknownFields(issue);
  const fitting = issue.errors?.find((form) =>
    form.every(({ code }) => code === 'unrecognized_keys'),
  );
  if (!fitting?.length) return [issue];
  return fitting.flatMap(({ path, ...inner }) =>
    unknownFields({ ...inner, path: [...issue.path, ...path] }),
  );
}

/**
 * True for an error code, which the contract's schemas use as messages; zod's own messages are sentences. Checking the
 * format instead of the table of errors keeps that table out of the browser's form code.
 */
function isCode(message: string): message is ErrorCode {
  return /^[A-Z_]+$/.test(message);
}

function dataOf(code: ErrorCode, { minimum, maximum, params }: Issue): ErrorData {
  if (withMaximum.has(code)) return { maximum: Number(maximum) };
  if (code === 'NUMBER_TOO_SMALL') return { minimum: Number(minimum) };
  return { ...params } as ErrorData;
}

/** The first problem of each field by its dotted path; '' is the input as a whole. */
export function fieldProblems(issues: readonly Issue[]): Map<string, Problem> {
  const problems = new Map<string, Problem>();
  for (const issue of issues.flatMap(plainIssues)) {
    const field = issue.path.map(String).join('.');
    if (problems.has(field)) continue;
    const code = isCode(issue.message) ? issue.message : 'INVALID_VALUE';
    problems.set(field, { code, data: dataOf(code, issue) });
  }
  return problems;
}

/**
 * The error of the whole request. Missing fields are listed together under `missingFieldsCode` if
 * the call has one; otherwise the first field's problem is the error.
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

/** The `fields` of an error body: English text by field. */
export function fieldTexts(problems: ReadonlyMap<string, Problem>): Record<string, string> {
  return Object.fromEntries(
    [...problems].map(([field, { code, data }]) => [field, errorText(code, data)]),
  );
}
