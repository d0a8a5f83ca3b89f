import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { BEAT, BEAT_MS, CAUGHT_UP, EVENTS_PATH } from '@linekeeper/contract/live.ts';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/context/context.ts';
import type { LiveStream } from '../../platform/live.ts';
import { sendRefusal } from '../errors.ts';
import { readCaller } from '../session.ts';

/** The heartbeat of a stream: an event and not a comment, so that the page sees it through any proxy. */
const HEARTBEAT = `event: ${BEAT}\ndata:\n\n`;
const RECONNECT_MS = 1000;
/** Seconds after which an account with too many streams may retry: one browser may be just closing. */
const RETRY_AFTER_SECONDS = 10;
/** Bytes that a client may be behind before it is disconnected; it refetches when it reconnects. */
const MAX_UNREAD_BYTES = 256 * 1024;

/**
 * GET /api/events: server-sent events for changes that the account may see, until its session or API key ends. Refuses
 * with NO_AUTHENTICATED_USER, TOO_MANY_STREAMS, or the errors of `readCaller`.
 */
export function streamEvents(app: FastifyInstance, services: Services): void {
  app.get(
    EVENTS_PATH,
    { schema: { hide: true }, exposeHeadRoute: false },
    async (request, reply) => {
      const caller = await readCaller(services, request);
      const { raw } = reply;
      // If the client disconnected while its session was read, its stream would never be closed.
      if (raw.destroyed) return reply.hijack();
      if (!caller) return sendRefusal(reply, 'NO_AUTHENTICATED_USER');
      if (!services.live.hasRoomFor(caller.actor.id)) {
        void reply.header('retry-after', RETRY_AFTER_SECONDS);
        return sendRefusal(reply, 'TOO_MANY_STREAMS');
      }
      reply.hijack();
      // Without a listener, the error of a disconnected client would end the process.
      raw.on('error', () => raw.destroy());
      const stream = openStream(raw, caller.actor, caller.id);
      const leave = services.live.add(stream);
      const stopBeating = beat(raw, stream, caller.expires_at?.getTime());
      raw.on('close', () => {
        stopBeating();
        leave();
      });
      raw.writeHead(200, {
        // Headers that hooks have set are added here, because a write to the raw response skips them.
        ...(reply.getHeaders() as OutgoingHttpHeaders),
        'content-type': 'text/event-stream',
        // A proxy that may change the stream could compress it, and would hold events back.
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      });
      const isCaughtUp = services.live.catchUp(stream, pageAge(request.query));
      const caughtUp = isCaughtUp ? `event: ${CAUGHT_UP}\ndata:\n\n` : '';
      raw.write(`retry: ${RECONNECT_MS}\n\n${HEARTBEAT}${caughtUp}`);
      // If the session ended before this stream was registered, nothing else closes the stream.
      const isStillSignedIn = await readCaller(services, request).catch(() => null);
      if (!isStillSignedIn) stream.end();
    },
  );
  app.addHook('preClose', async () => services.live.endAll());
}

/** Keeps the connection in use, and ends the stream when its session or API key expires. */
function beat(
  raw: ServerResponse,
  stream: LiveStream,
  endsAt = Number.POSITIVE_INFINITY,
): () => void {
  let timer: NodeJS.Timeout;
  const schedule = () => {
    const left = Math.max(0, endsAt - Date.now());
    timer = setTimeout(onTime, Math.min(left, BEAT_MS));
  };
  const onTime = () => {
    if (Date.now() >= endsAt) return stream.end();
    if (!raw.writableEnded) raw.write(HEARTBEAT);
    schedule();
  };
  schedule();
  return () => clearTimeout(timer);
}

/** Milliseconds since the client's page was opened. Without this the page refetches everything. */
function pageAge(query: unknown): number {
  const age = Number((query as { back?: unknown }).back ?? Number.POSITIVE_INFINITY);
  return age >= 0 ? age : Number.POSITIVE_INFINITY;
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
