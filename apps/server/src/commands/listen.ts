import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { codeOf } from '../db/errors.ts';
import { errorMessage } from '../platform/errors/error-message.ts';

function complaint(error: unknown, host: string, port: number): string {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') return `PORT=${port}: the port is already in use on ${host}`;
  if (code === 'EACCES') {
    return `PORT=${port}: this user is not allowed to listen on it. Use a port from 1024 up, and let a proxy listen on 80 and 443`;
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)) {
    return `HOST=${host}: this machine does not have this address (${errorMessage(error)})`;
  }
  return `HOST=${host} PORT=${port}: ${errorMessage(error)}`;
}

/** Thrown if the panel's port cannot be opened. Its message names the setting to change. */
export class CannotListen extends Error {
  constructor(cause: unknown, host: string, port: number) {
    super(complaint(cause, host, port), { cause });
  }
}

/** Starts to listen. Returns the address, or throws CannotListen. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  return app.listen({ host, port }).catch((error: unknown) => {
    throw new CannotListen(error, host, port);
  });
}

/**
 * Checks that the panel's port is free, and throws the error of `listen` if it is not. Called before anything is
 * created, because a first start that ended on a busy port would already have created its administrator.
 */
export async function refuseBusyPort(host: string, port: number): Promise<void> {
  const probe = createServer().listen({ host, port });
  await once(probe, 'listening').catch((error: unknown) => {
    throw new CannotListen(error, host, port);
  });
  await once(probe.close(), 'close');
}
