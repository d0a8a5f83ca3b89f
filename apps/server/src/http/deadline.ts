import type { FastifyInstance } from 'fastify';
import { sharedDeadline, type Within } from '../db/deadline.ts';

const within = Symbol('what a request waits within');

declare module 'fastify' {
  interface FastifyRequest {
    [within]?: Within;
  }
}

/**
 * Sets a deadline for all database calls of a request, so that the request ends in time even if the
 * database does not respond.
 */
export function answerInTime(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    request[within] = sharedDeadline();
    request[within](done);
  });
  // The deadline must be set again here, because body events run in the context of the connection,
  // which serves many requests.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request[within]) request[within](done);
    else done();
  });
}
