import {
  createRedeemCodes,
  editRedeemCode,
  type RedeemCode,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { formatDay } from '@linekeeper/contract/dates.ts';
import * as z from 'zod';
import { dayField, timeField } from '../../shared/forms/day-and-time.ts';

const expiryFields = { day: dayField, time: timeField };

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
