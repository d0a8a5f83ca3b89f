const reasons = [
  'certificate not trusted',
  'connection closed early',
  'connection failed',
  'connection refused',
  'connection reset',
  'connection timed out',
  'host not found or not allowed',
  'invalid response',
  'network unreachable',
  'request cancelled',
  'response too large',
  'secure connection failed',
] as const;

/** Why a card server could not be reached, in the panel's own English words. */
export type Reason = (typeof reasons)[number];

export function isReason(text: string): text is Reason {
  return (reasons as readonly string[]).includes(text);
}
