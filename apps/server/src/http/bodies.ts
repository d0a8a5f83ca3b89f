import { MIMEType } from 'node:util';
import { fieldProblems, requestProblem } from '@linekeeper/contract/problems.ts';
import type { FastifyRequest } from 'fastify';
import { fail, failFields } from '../platform/errors/refusal.ts';

/** Deeper than the body of any endpoint. */
const MAX_DEPTH = 32;

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Checks the depth iteratively, because later code is recursive and thousands of levels would
 * overflow its stack. Throws TOO_DEEP.
 */
export function refuseDeepBody(body: unknown): void {
  let level = isHolder(body) ? [body] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) fail('TOO_DEEP', { maximum: MAX_DEPTH });
    level = level.flatMap((holder) => Object.values(holder).filter(isHolder));
  }
}

/** JSON is decoded as UTF-8, so text in another charset would be garbled. */
export function refuseOtherCharset({ body, headers }: Pick<FastifyRequest, 'body' | 'headers'>) {
  const type = headers['content-type'];
  if (body === undefined || !type) return;
  const charset = new MIMEType(type).params.get('charset') ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) fail('NOT_JSON');
}

/** Generated clients announce JSON with every call, also with one that sends nothing. */
export function ignoreTypeOfNothing({ headers }: FastifyRequest): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  if (length === '0' && encoding === undefined) delete headers['content-type'];
}

/** A missing body counts as an empty object, so that its missing fields are reported. */
export function objectOf(body: unknown): object {
  if (body === undefined) return {};
  return isHolder(body) && !Array.isArray(body) ? body : fail('BODY_NOT_OBJECT');
}

/** For endpoints without a body: accepts no body or an empty one. */
export function refuseAnyField(body: unknown): undefined {
  if (body === undefined || body === null) return undefined;
  const keys = Object.keys(objectOf(body));
  if (keys.length === 0) return undefined;
  const issue = { code: 'unrecognized_keys', path: [], message: '', keys };
  const problems = fieldProblems([issue]);
  return failFields(requestProblem(problems), problems);
}
