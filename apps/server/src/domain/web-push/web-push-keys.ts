import { createHash } from 'node:crypto';
import type { RequestOptions } from 'web-push';
import { keptOrMade } from '../../platform/settings.ts';
import type { Services } from '../context/context.ts';

export const WEB_PUSH_KEYS_NAME = 'web_push_keys';

/** A browser's subscription, in the form in which it is encrypted and stored. */
export interface Subscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** Finds a browser that subscribes again. Nobody who knows only the address of its push service can compute it. */
export const hashOf = ({ endpoint, keys }: Subscription): string =>
  createHash('sha256').update(`${endpoint} ${keys.p256dh} ${keys.auth}`).digest('hex');

/** The library, which is loaded by the first panel that needs it. */
const library = async () => (await import('web-push')).default;

/**
 * The panel's own pair of keys (VAPID), by which push services recognize it. With another pair, every browser would have
 * to subscribe again.
 */
const readKeys = ({ db, secrets }: Pick<Services, 'db' | 'secrets'>) =>
  keptOrMade(db, WEB_PUSH_KEYS_NAME, async () => {
    const { publicKey: public_key, privateKey } = (await library()).generateVAPIDKeys();
    return { public_key, private_key: secrets.seal(privateKey, WEB_PUSH_KEYS_NAME) };
  });

export const readPublicKey = async (services: Pick<Services, 'db' | 'secrets'>) =>
  (await readKeys(services)).public_key;

/** The request with which a push service gets a message, encrypted for one browser and signed by the panel. */
export async function encryptedRequest(
  services: Pick<Services, 'db' | 'secrets' | 'auth'>,
  subscription: Subscription,
  message: object,
  options: RequestOptions,
) {
  const { public_key: publicKey, private_key } = await readKeys(services);
  const privateKey = services.secrets.open(private_key, WEB_PUSH_KEYS_NAME);
  // The address at which a push service reaches the operator has to begin with https.
  const subject = services.auth.pageLink('/').replace(/^http:/, 'https:');
  const { generateRequestDetails } = await library();
  const vapidDetails = { subject, publicKey, privateKey };
  const { headers, body } = generateRequestDetails(subscription, JSON.stringify(message), {
    ...options,
    vapidDetails,
  });
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { headers: Object.fromEntries(named) as Record<string, string>, body };
}
