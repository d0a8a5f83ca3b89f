import { type Day, parseDay } from '@linekeeper/contract/dates.ts';
import { dayOr } from '@linekeeper/contract/fields/fields.ts';
import * as z from 'zod';

const TIME = /^([01]?\d|2[0-3]):[0-5]\d$/;

/**
 * The day of a moment in a form; empty if there is no moment. If the form also asks for a time, the day is in the time
 * zone of the browser.
 */
export const dayField = z.union([z.literal(''), dayOr('INVALID_EXPIRY')], {
  error: 'INVALID_EXPIRY',
});
export const timeField = z.union([z.literal(''), z.string().trim().regex(TIME)], {
  error: 'INVALID_VALUE',
});

/**
 * The expiry from two inputs: a moment in UTC, or, without a time, a day that ends in the panel's
 * time zone. Null without a day.
 */
export function expiryOf(values: { day: Day | ''; time: string }): string | null {
  const date = parseDay(values.day);
  if (!date) return null;
  if (!values.time) return date;
  const [hour = '0', minute = '0'] = values.time.split(':');
  return new Date(`${date}T${hour.padStart(2, '0')}:${minute}:00`).toISOString();
}
