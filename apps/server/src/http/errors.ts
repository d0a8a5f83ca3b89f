import type { Endpoint } from '@linekeeper/contract/endpoint.ts';
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
import type { ZodType } from 'zod';
import { failFields, Refusal } from '../core/refusal.ts';

/** What Fastify itself refuses, by the codes of its errors. */
const fastifyErrors: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'NOT_JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'NOT_JSON',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'NOT_JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'NOT_JSON',
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
};

class InvalidInput extends Error {
  readonly issues: readonly Issue[];
  constructor(issues: readonly Issue[]) {
    super('invalid input');
    this.issues = issues;
  }
}

export const validatorCompiler: FastifySchemaCompiler<ZodType> =
  ({ schema }) =>
  (input: unknown) => {
    const { data, error } = schema.safeParse(input);
    return error ? { error: new InvalidInput(error.issues as readonly Issue[]) } : { value: data };
  };

/** The refusal a wrong input deserves under its endpoint. */
function asRefusal(error: InvalidInput, endpoint: Endpoint | undefined): Refusal {
  const problems = fieldProblems(error.issues);
  try {
    return failFields(requestProblem(problems, endpoint?.missingFieldsCode), problems);
  } catch (refusal) {
    return refusal as Refusal;
  }
}

/** PostgreSQL's classes 08, 53 and 57, and a connection that cannot be made: try again later. */
function isDatabaseAway(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(08|53|57)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    /Connection terminated|is not queryable|timeout exceeded when trying to connect/.test(
      error.message,
    )
  );
}

/** What a library refuses by a status alone, such as a path that leaves the web app's folder. */
function refusalOfFramework({ statusCode = 500 }: { statusCode?: number }): ErrorCode | null {
  return statusCode >= 400 && statusCode < 500 ? 'NOT_FOUND' : null;
}

function bodyFor(error: FastifyError | InvalidInput | Refusal, request: FastifyRequest): ErrorBody {
  const { endpoint, databaseErrorCode } = request.routeOptions.config;
  if (error instanceof Refusal) return error.body;
  if (error instanceof InvalidInput) return asRefusal(error, endpoint).body;
  const known = 'code' in error ? fastifyErrors[error.code] : undefined;
  const code =
    known ??
    refusalOfFramework(error) ??
    (isDatabaseAway(error) ? (databaseErrorCode ?? 'DATABASE_UNAVAILABLE') : 'INTERNAL_ERROR');
  return { code, message: errorText(code), data: {} };
}

/** Every error leaves in one shape; what nobody expected is logged and never shown. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | InvalidInput | Refusal, request, reply) => {
    const body = bodyFor(error, request);
    const status = errorStatus(body.code);
    if (status >= 500) request.log.error({ err: error }, 'request failed');
    if (error instanceof Refusal && error.retryAfter !== null) {
      void reply.header('retry-after', error.retryAfter);
    }
    return reply.status(status).send(body);
  });
}

export function sendRefusal(reply: FastifyReply, code: ErrorCode): FastifyReply {
  return reply.status(errorStatus(code)).send({ code, message: errorText(code), data: {} });
}
