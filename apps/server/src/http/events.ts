import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { EVENTS_PATH } from '@linekeeper/contract/live.ts';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../core/context.ts';
import type { LiveStream } from '../core/live.ts';
import { sendRefusal } from './errors.ts';
import { readSession } from './session.ts';

const HEARTBEAT_MS = 20_000;
const RECONNECT_MS = 1000;
/** A reader this far behind is cut off; it fetches anew when it comes back. */
const MAX_UNREAD_BYTES = 256 * 1024;

/** GET /api/events: server-sent events of what the account may see, until its session ends. */
export function streamEvents(app: FastifyInstance, services: Services): void {
  app.get(
    EVENTS_PATH,
    { schema: { hide: true }, exposeHeadRoute: false },
    async (request, reply) => {
      const session = await readSession(services, request);
      if (!session) return sendRefusal(reply, 'NO_AUTHENTICATED_USER');
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        // A raw reply does not bring along what hooks have set.
        ...(reply.getHeaders() as OutgoingHttpHeaders),
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      // A reader that vanished is no reason for the process to end.
      raw.on('error', () => raw.destroy());
      raw.write(`retry: ${RECONNECT_MS}\n\n`);
      const stream = openStream(raw, session.actor, session.id);
      const leave = services.live.add(stream);
      // The session may have ended between the check above and now, unheard by this stream.
      if (!(await readSession(services, request))) stream.end();
      const heartbeat = setInterval(() => {
        if (Date.now() >= session.expires_at.getTime()) stream.end();
        else if (!raw.writableEnded) raw.write(': still here\n\n');
      }, HEARTBEAT_MS);
      raw.on('close', () => {
        clearInterval(heartbeat);
        leave();
      });
    },
  );
  app.addHook('preClose', async () => services.live.endAll());
}

function openStream(
  raw: ServerResponse,
  actor: LiveStream['actor'],
  session_id: string,
): LiveStream {
  return {
    actor,
    session_id,
    send: (event) => {
      if (raw.writableEnded) return;
      if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy();
      else raw.write(`data: ${JSON.stringify(event)}\n\n`);
    },
    end: () => void raw.end(),
  };
}
