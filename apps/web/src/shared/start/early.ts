/** Milliseconds after which a reply that was not used is dropped as stale. */
const LONGEST_KEPT_MS = 10_000;

const asked = new Map<string, Promise<Response>>();

/** Sends a request while the code that needs its reply is still loading. */
export function askEarly(address: string): void {
  const reply = fetch(address, {
    headers: { accept: 'application/json' },
    credentials: 'same-origin',
  });
  // The caller that takes the reply handles its failure.
  reply.catch(() => undefined);
  asked.set(address, reply);
}

/** Another session, or a change, makes the replies false. */
export function forgetEarly(): void {
  asked.clear();
}

/** The reply of an early request; each can be taken once. */
export function takeEarly(address: string): Promise<Response> | undefined {
  const reply = asked.get(address);
  asked.delete(address);
  return performance.now() < LONGEST_KEPT_MS ? reply : undefined;
}
