import { type Day, formatDay, parseDay } from '@linekeeper/contract/dates.ts';
import { dayOr } from '@linekeeper/contract/fields/fields.ts';
import {
  createRedeemCodes,
  editRedeemCode,
  type RedeemCode,
} from '@linekeeper/contract/redeem-codes.ts';
import * as z from 'zod';

const TIME = /^([01]?\d|2[0-3]):[0-5]\d$/;

const day = z.union([z.literal(''), dayOr('INVALID_EXPIRY')], { error: 'INVALID_EXPIRY' });
const time = z.union([z.literal(''), z.string().trim().regex(TIME)], { error: 'INVALID_VALUE' });
const expiryFields = { day, time };

const made = createRedeemCodes.body.shape;
export const newCodesForm = z.object({
  credits: made.credits,
  count: made.count,
  code: z.union([z.literal(''), made.code.unwrap()], { error: 'INVALID_CODE_TEXT' }),
  description: made.description,
  max_uses: made.max_uses,
  ...expiryFields,
});

const changed = editRedeemCode.body.shape;
export const editCodeForm = z.object({
  credits: changed.credits.unwrap(),
  description: changed.description,
  max_uses: changed.max_uses.unwrap(),
  ...expiryFields,
});

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** A moment as day and time of the browser's clock, like all moments that are shown. */
export function expiryValues(moment: RedeemCode['expires_at']): { day: string; time: string } {
  if (!moment) return { day: '', time: '' };
  const at = new Date(moment);
  const local = `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
  return {
    day: formatDay(local),
    time: `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`,
  };
}

/** A day by itself is meant in the panel's time zone, which the panel knows. */
export function expiryOf(values: { day: Day | ''; time: string }): string | null {
  const date = parseDay(values.day);
  if (!date) return null;
  if (!values.time) return date;
  const [hour = '0', minute = '0'] = values.time.split(':');
  return new Date(`${date}T${hour.padStart(2, '0')}:${minute}:00`).toISOString();
}
