import {
  type ErrorBody,
  type ErrorCode,
  type ErrorData,
  errorStatus,
  errorText,
} from '@linekeeper/contract/errors.ts';
import { fieldTexts, type Problem } from '@linekeeper/contract/problems.ts';

/** An error whose code, status and message are sent to the client. */
export class Refusal extends Error {
  readonly body: ErrorBody;
  /** Seconds after which the client may retry. */
  readonly retryAfter: number | null;

  constructor(body: ErrorBody, retryAfter: number | null = null) {
    super(body.message);
    this.name = 'Refusal';
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

export function refusal(code: ErrorCode, data: ErrorData = {}): Refusal {
  return new Refusal({ code, message: errorText(code, data), data });
}

/** Throws a Refusal with this code and data. */
export function fail(code: ErrorCode, data: ErrorData = {}): never {
  throw refusal(code, data);
}

/** Refuses one field with 422; the form shows the sentence at that field. */
export function failField(field: string, code: ErrorCode, data: ErrorData = {}): never {
  throw fieldRefusal(field, code, data);
}

export function fieldRefusal(field: string, code: ErrorCode, data: ErrorData = {}): Refusal {
  const problem = { code, data };
  return new Refusal(fieldsBody(problem, new Map([[field, problem]])));
}

/** Returns the result of `work`, or the Refusal that it throws. */
export async function catchRefusal<T>(work: () => T | Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/**
 * Refuses several fields under one problem. `field_codes` lets the browser translate each field's error;
 * sentences by field come with status 422 only.
 */
export function failFields(problem: Problem, fields: ReadonlyMap<string, Problem>): never {
  throw new Refusal(fieldsBody(problem, fields));
}

/** The body of a refusal of several fields. A problem of the input as a whole has '' as its field, and is left out. */
export function fieldsBody(problem: Problem, fields: ReadonlyMap<string, Problem>): ErrorBody {
  const named = new Map([...fields].filter(([field]) => field !== ''));
  const field_codes = Object.fromEntries([...named].map(([field, { code }]) => [field, code]));
  return {
    code: problem.code,
    message: errorText(problem.code, problem.data),
    data: { ...problem.data, field_codes },
    ...(errorStatus(problem.code) === 422 && { fields: fieldTexts(named) }),
  };
}

/** Refuses temporarily: the request may succeed after `retryAfter` seconds. */
export function failTemporarily(code: ErrorCode, retryAfter: number, data: ErrorData = {}): never {
  throw new Refusal({ code, message: errorText(code, data), data }, retryAfter);
}

/** True for a refusal with `retryAfter`. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Refusal && error.retryAfter !== null;
}

/** Throws TOO_MANY_ATTEMPTS; `retryAfter` is in seconds. */
export function failTooManyAttempts(retryAfter: number): never {
  failTemporarily('TOO_MANY_ATTEMPTS', retryAfter);
}
