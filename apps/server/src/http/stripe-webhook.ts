import { STRIPE_WEBHOOK_PATH } from '@linekeeper/contract/credits/top-ups.ts';
import type { FastifyInstance } from 'fastify';
import type { AuditOrigin } from '../domain/audit/audit.ts';
import type { Services } from '../domain/context/context.ts';
import { fail } from '../platform/errors/refusal.ts';
import type { CardService } from '../platform/payments/card-service.ts';

type SignedEvent = ReturnType<CardService['readEvent']>;
type ApplyEvent = (services: Services, event: SignedEvent, origin: AuditOrigin) => Promise<void>;

/**
 * Receives the events of Stripe. Their signature replaces session and origin, and covers the body to the byte, so the
 * body is not parsed before it is checked. Any status other than 200 makes Stripe send the event again:
 * CARDS_NOT_SET_UP, INVALID_SIGNATURE or NOT_JSON.
 */
export async function receiveStripeEvents(
  app: FastifyInstance,
  services: Services,
  applyEvent: ApplyEvent,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(STRIPE_WEBHOOK_PATH, { schema: { hide: true } }, async (request) => {
      const { cardService } = services;
      if (!cardService) return fail('CARDS_NOT_SET_UP');
      const { body, headers } = request;
      const signature = headers['stripe-signature'];
      if (!Buffer.isBuffer(body) || typeof signature !== 'string') return fail('INVALID_SIGNATURE');
      const event = cardService.readEvent(body, signature);
      const origin = { actor_id: null, address: request.ip, request_id: request.id };
      await applyEvent(services, event, origin);
      return { received: true };
    });
  });
}
