import type { StatusColor } from '@linekeeper/contract/line-fields.ts';

export type ExpiryTone = Exclude<StatusColor, 'success'> | 'quiet';

/** How urgent a line is that is valid for `days` more; today counts as nothing left. */
export function expiryTone(days: number): ExpiryTone {
  if (days <= 0) return 'error';
  if (days <= 7) return 'warning';
  return days <= 30 ? 'info' : 'quiet';
}

const DAYS_A_MONTH = 365.25 / 12;

/** 'today', 'tomorrow', 'in 3 days', '9 days ago', 'in 6 months' in the words of `language`. */
export function expiryWords(days: number, language: string): string {
  const byMonth = Math.abs(days) > 30;
  // 'in 2 days' is shorter than the day's own name, which is 'depois de amanhã' in Portuguese.
  const named = Math.abs(days) <= 1;
  const format = new Intl.RelativeTimeFormat(language, { numeric: named ? 'auto' : 'always' });
  return byMonth
    ? format.format(Math.round(days / DAYS_A_MONTH), 'month')
    : format.format(days, 'day');
}
