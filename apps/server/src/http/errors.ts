import { refusalsOf } from '@linekeeper/contract/endpoint.ts';
import {
  type ErrorBody,
  type ErrorCode,
  errorStatus,
  errorText,
} from '@linekeeper/contract/errors.ts';
import { fieldProblems, type Issue, requestProblem } from '@linekeeper/contract/problems.ts';
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaCompiler,
} from 'fastify';
import type * as z from 'zod';
import { isDatabaseAway, isDiskFull } from '../db/errors.ts';
import { fieldsBody, isRetryable, Refusal } from '../platform/errors/refusal.ts';
import { noteCause } from './request-log.ts';

/** The panel's codes for the errors that Fastify itself throws. */
const fastifyErrors: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'NOT_JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'NOT_JSON',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'NOT_JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'NOT_JSON',
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
};

/**
 * The error for input that a schema refuses; the reply has VALIDATION_FAILED or the endpoint's code for missing fields.
 */
export class InvalidInput extends Error {
  readonly issues: readonly Issue[];
  constructor(issues: readonly z.core.$ZodIssue[]) {
    super('invalid input');
    this.issues = issues as readonly Issue[];
  }
}

export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (input: unknown) => {
    const { data, error } = schema.safeParse(input);
    return error ? { error: new InvalidInput(error.issues) } : { value: data };
  };

function bodyFor(error: FastifyError | InvalidInput | Refusal, request: FastifyRequest): ErrorBody {
  const { endpoint } = request.routeOptions.config;
  if (error instanceof Refusal) return error.body;
  if (error instanceof InvalidInput) {
    const problems = fieldProblems(error.issues);
    return fieldsBody(requestProblem(problems, endpoint?.missingFieldsCode), problems);
  }
  const databaseAway = endpoint ? refusalsOf(endpoint).databaseAway : 'DATABASE_UNAVAILABLE';
  // Errors of libraries may have only a status, such as for a path outside the web app's folder.
  const { code: name = '', statusCode = 500 } = error;
  const code =
    fastifyErrors[name] ??
    (statusCode >= 400 && statusCode < 500 ? 'NOT_FOUND' : null) ??
    (isDiskFull(error) ? 'DISK_FULL' : null) ??
    (isDatabaseAway(error) ? databaseAway : 'INTERNAL_ERROR');
  const { failureCode } = endpoint ?? {};
  if (!failureCode || errorStatus(code) < 500) return { code, message: errorText(code), data: {} };
  const data = { reason: errorText(code), reason_code: code };
  return { code: failureCode, message: errorText(failureCode, data), data };
}

/** Replies to all errors in one format; unexpected ones are logged and never shown. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | InvalidInput | Refusal, request, reply) => {
    const body = bodyFor(error, request);
    const status = errorStatus(body.code);
    // Temporary refusals are not logged as errors, because clients' retries would flood the log.
    if (status >= 500 && !isRetryable(error)) {
      if (status === 503) noteCause(request, error);
      else request.log.error({ err: error }, 'request failed');
    }
    if (error instanceof Refusal && error.retryAfter !== null) {
      void reply.header('retry-after', error.retryAfter);
    }
    return reply.status(status).send(body);
  });
}

export function sendRefusal(reply: FastifyReply, code: ErrorCode): FastifyReply {
  return reply.status(errorStatus(code)).send({ code, message: errorText(code), data: {} });
}
