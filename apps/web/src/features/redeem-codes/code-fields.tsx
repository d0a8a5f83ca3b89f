import {
  createRedeemCodes,
  editRedeemCode,
  type RedeemCode,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { dayField, timeField } from '#kit/forms/day-and-time.ts';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { DayInput } from '#kit/forms/pickers/day-picker.tsx';

interface CodeFields extends FieldValues {
  description?: string | undefined;
  max_uses?: number | undefined;
  day: string;
  time: string;
}

/** The last fields of both code forms: label, uses, and the expiry as a day with or without a time. */
export function CodeFields<Values extends CodeFields, Output>({
  control,
}: {
  control: Control<Values, unknown, Output>;
}) {
  const { t } = useTranslation('redeemCodes');
  const named = (name: keyof CodeFields) => ({ control, name: name as FieldPath<Values> });
  return (
    <>
      <TextInput {...named('description')} label={t('columns.label')} hint={t('form.labelHint')} />
      <TextInput
        {...named('max_uses')}
        label={t('form.uses')}
        hint={t('form.usesHint')}
        type="number"
      />
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-4 small-phone:grid-cols-1 small-phone:gap-5">
        <DayInput {...named('day')} label={t('form.day')} hint={t('form.dayHint')} />
        <TextInput {...named('time')} label={t('field.time')} hint={t('form.timeHint')} />
      </div>
    </>
  );
}

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

/** The inputs for a stored moment: day and time by the browser's clock, like all moments on the screen. */
export function expiryValues(moment: RedeemCode['expires_at']): { day: string; time: string } {
  if (!moment) return { day: '', time: '' };
  const at = new Date(moment);
  const local = `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
  return {
    day: formatDay(local),
    time: `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`,
  };
}
