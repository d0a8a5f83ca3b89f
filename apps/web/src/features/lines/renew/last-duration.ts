import { terms } from '@linekeeper/contract/pricing.ts';
import { keptInBrowser } from '../../../shared/browser/storage.ts';
import { FIRST_RENEWAL_MONTHS } from './renewal.ts';

const KEY = 'linekeeper.renewal-months';

/** The term that was renewed for last in this browser; the shortest before the first time. */
export function lastDuration(): number {
  const months = Number(keptInBrowser.read(KEY));
  return terms.find((term) => term === months) ?? FIRST_RENEWAL_MONTHS;
}

export function keepDuration(months: number): void {
  keptInBrowser.write(KEY, String(months));
}
