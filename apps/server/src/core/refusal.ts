import {
  type ErrorBody,
  type ErrorCode,
  type ErrorData,
  errorText,
} from '@linekeeper/contract/errors.ts';
import { fieldTexts, type Problem } from '@linekeeper/contract/problems.ts';

/** A request that is refused for a reason the caller is told. */
export class Refusal extends Error {
  readonly body: ErrorBody;
  /** Seconds after which the caller may try again. */
  readonly retryAfter: number | null;

  constructor(body: ErrorBody, retryAfter: number | null = null) {
    super(body.message);
    this.name = 'Refusal';
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

export function fail(code: ErrorCode, data: ErrorData = {}): never {
  throw new Refusal({ code, message: errorText(code, data), data });
}

/** Refuses one field: 422, and the form shows the sentence beside it. */
export function failField(field: string, code: ErrorCode, data: ErrorData = {}): never {
  failFields({ code, data }, new Map([[field, { code, data }]]));
}

/** `field_codes` lets the browser say each field's sentence in the reader's language. */
export function failFields(problem: Problem, fields: ReadonlyMap<string, Problem>): never {
  const field_codes = Object.fromEntries([...fields].map(([field, { code }]) => [field, code]));
  throw new Refusal({
    code: problem.code,
    message: errorText(problem.code, problem.data),
    data: { ...problem.data, field_codes },
    fields: fieldTexts(fields),
  });
}

export function failAttempts(retryAfter: number): never {
  throw new Refusal(
    { code: 'TOO_MANY_ATTEMPTS', message: errorText('TOO_MANY_ATTEMPTS'), data: {} },
    retryAfter,
  );
}
