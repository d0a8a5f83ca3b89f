import Stripe from 'stripe';
import type { StripeConfig } from '../config/config.ts';
import { errorMessage } from '../errors/error-message.ts';
import { fail } from '../errors/refusal.ts';

/** Milliseconds that Stripe may take for one request, which is repeated once. */
const REQUEST_MS = 4000;
/** Milliseconds for a request and its repetition. */
const TOTAL_MS = 9000;

/** A charge. Stripe repeats the id of the top-up when it reports the payment. */
export interface Order {
  top_up_id: string;
  number: string;
  product: string;
  price_minor: number;
  currency: string;
  /** Number of the session of this top-up; for a number that was used before, Stripe returns the existing session. */
  attempt: number;
  return_url: string;
}

type Log = { error(facts: object, text: string): void };

/** Card payments by Stripe Checkout. Must not be called inside a transaction. */
export class CardService {
  readonly #stripe: Stripe;
  readonly #webhookSecret: string;

  constructor({ secret_key, webhook_secret, api_base }: StripeConfig) {
    this.#webhookSecret = webhook_secret;
    this.#stripe = new Stripe(secret_key, {
      apiVersion: '2026-10-28.endive',
      timeout: REQUEST_MS,
      maxNetworkRetries: 1,
      telemetry: false,
      ...(api_base ? addressOf(api_base) : {}),
    });
  }

  /**
   * Opens a payment page; two calls, even at the same moment, get the same one. Throws CARD_PAYMENTS_UNAVAILABLE or
   * CARD_PAYMENT_REFUSED.
   */
  openSession(order: Order, log: Log): Promise<Stripe.Checkout.Session> {
    const { top_up_id, number, return_url } = order;
    const metadata = { top_up_id, number };
    return within(log, () =>
      this.#stripe.checkout.sessions.create(
        {
          mode: 'payment',
          allowed_payment_method_types: ['card'],
          client_reference_id: top_up_id,
          metadata,
          payment_intent_data: { metadata, description: number },
          // Stripe must not convert the amount, because the paid amount is compared with the ordered one.
          adaptive_pricing: { enabled: false },
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: order.currency.toLowerCase(),
                unit_amount: order.price_minor,
                product_data: { name: `${order.product} (${number})` },
              },
            },
          ],
          success_url: return_url,
          cancel_url: return_url,
        },
        { idempotencyKey: `top-up-${top_up_id}-${order.attempt}` },
      ),
    );
  }

  /** The checkout session with this ID. Throws CARD_PAYMENTS_UNAVAILABLE or CARD_PAYMENT_REFUSED. */
  readSession(id: string, log: Log): Promise<Stripe.Checkout.Session> {
    return within(log, () => this.#stripe.checkout.sessions.retrieve(id));
  }

  /** Closes a payment page. Throws CARD_PAYMENT_REFUSED if it was paid already or has expired, or CARD_PAYMENTS_UNAVAILABLE. */
  async closeSession(id: string, log: Log): Promise<void> {
    await within(log, () => this.#stripe.checkout.sessions.expire(id));
  }

  /** The event, if Stripe has signed it within the last five minutes. Throws INVALID_SIGNATURE or NOT_JSON. */
  readEvent(body: Buffer, signature: string): Stripe.Event {
    try {
      return this.#stripe.webhooks.constructEvent(body, signature, this.#webhookSecret);
    } catch (error) {
      if (error instanceof SyntaxError) return fail('NOT_JSON');
      return fail('INVALID_SIGNATURE');
    }
  }
}

function addressOf({ hostname, port, protocol }: URL) {
  const isHttp = protocol === 'http:';
  return {
    host: hostname,
    port: port || (isHttp ? 80 : 443),
    protocol: isHttp ? ('http' as const) : ('https' as const),
  };
}

/** Describes an error for the log, without its message, because that quotes the request. */
function whatFailed(error: unknown): object {
  if (!(error instanceof Stripe.errors.StripeError)) return { reason: errorMessage(error) };
  const { type, code, statusCode, requestId } = error;
  return { type, code, status: statusCode, stripe_request_id: requestId };
}

/** Calls Stripe. Throws CARD_PAYMENTS_UNAVAILABLE, or CARD_PAYMENT_REFUSED if a retry would not help. */
async function within<T>(log: Log, ask: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Stripe did not answer in time')), TOTAL_MS);
  });
  try {
    return await Promise.race([ask(), late]);
  } catch (error) {
    log.error(whatFailed(error), 'a request to Stripe failed');
    const isFinal =
      error instanceof Stripe.errors.StripeInvalidRequestError ||
      error instanceof Stripe.errors.StripeAuthenticationError ||
      error instanceof Stripe.errors.StripePermissionError;
    return fail(isFinal ? 'CARD_PAYMENT_REFUSED' : 'CARD_PAYMENTS_UNAVAILABLE');
  } finally {
    clearTimeout(timer);
  }
}
