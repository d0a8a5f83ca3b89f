import { addDays, addMonths, type Day, formatDay, parseDay } from '@linekeeper/contract/dates.ts';
import {
  type GivenPayment,
  type PaymentState,
  paymentStates,
  usualAmount,
} from '@linekeeper/contract/fields/payment.ts';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectBox } from '#kit/forms/fields/select-input.tsx';
import { TextBox } from '#kit/forms/fields/text-box.tsx';
import { DayBox } from '#kit/forms/pickers/day-picker.tsx';
import { CheckPill } from '#kit/ui/controls/pills.tsx';
import { useChangePreferences, usePreferences } from '#platform/data/preferences.ts';
import { useToday } from '#platform/data/settings.ts';
import { minorOfTyped, typedPrice } from '#platform/format/money.ts';

type Priced = Parameters<typeof usualAmount>[0];

/** The coming Friday, and the last day of the month. */
function daysToPay(today: Day): { friday: Day; monthEnd: Day } {
  const weekday = new Date(today).getUTCDay();
  return {
    friday: addDays(today, (5 - weekday + 7) % 7 || 7),
    monthEnd: addDays(addMonths(`${today.slice(0, 7)}-01`, 1), -1),
  };
}

const OTHER = 'other';

/**
 * The choice of what a customer pays for a sale or a renewal, for the seller's bookkeeping. It begins with the state of the
 * last sale; before the first, with none. The amount is the usual one until another is typed.
 */
export function usePayment(line: Priced, months: number | null) {
  const own = usePreferences();
  const { change } = useChangePreferences();
  const [chosen, setChosen] = useState<PaymentState | null>();
  const [typed, setTyped] = useState<{ amount?: string; currency?: string }>({});
  const [due, setDue] = useState('');
  const [otherDay, setOtherDay] = useState('');
  const state = chosen === undefined ? own.sale_payment : chosen;
  const usual = usualAmount(line, months, own);
  const amount =
    typed.amount ?? (usual.amount_minor === null ? '' : typedPrice(usual.amount_minor));
  const currency = typed.currency ?? usual.currency ?? '';
  const day = due === OTHER ? parseDay(otherDay.trim()) : due || null;
  const given: GivenPayment | undefined =
    state === null
      ? undefined
      : state === 'free'
        ? { state }
        : {
            state,
            // A text that is not an amount is sent unchanged, so that the panel refuses it with the reason.
            amount_minor: amount.trim() === '' ? null : (minorOfTyped(amount) as number),
            currency: currency.trim() || null,
            ...(state === 'owes' && { due: day }),
          };
  return {
    given,
    /** Keeps the state for the next sale. */
    keep: () => {
      if (state !== own.sale_payment) change({ sale_payment: state });
    },
    field: {
      state,
      setState: setChosen,
      amount,
      currency,
      setTyped,
      due,
      setDue,
      otherDay,
      setOtherDay,
    },
  };
}

export type PaymentFieldProps = ReturnType<typeof usePayment>['field'];

/** `isTitled` is true below a heading that says the same. */
export function PaymentField({
  isTitled = false,
  ...props
}: PaymentFieldProps & { isTitled?: boolean }) {
  const { state, setState, amount, currency, setTyped, due, setDue, otherDay, setOtherDay } = props;
  const { t } = useTranslation();
  const id = useId();
  const { friday, monthEnd } = daysToPay(useToday());
  const box = (name: 'amount' | 'currency', value: string) => ({
    id: `${id}-${name}`,
    name,
    ref: null,
    value,
    onBlur: undefined,
    'aria-invalid': undefined,
    'aria-required': undefined,
    'aria-describedby': undefined,
    onChange: ({ target }: { target: { value: string } }) =>
      setTyped((before) => ({ ...before, [name]: target.value })),
  });
  return (
    <div className="grid grid-cols-1 gap-3">
      <fieldset>
        <legend className={isTitled ? 'visually-hidden' : 'mb-2'}>{t('payment.title')}</legend>
        <div className="flex flex-wrap gap-2">
          {paymentStates.map((one) => (
            <CheckPill
              key={one}
              checked={state === one}
              onChange={(isChecked) => setState(isChecked ? one : null)}
            >
              {t(`payment.${one}`)}
            </CheckPill>
          ))}
        </div>
      </fieldset>
      {(state === 'paid' || state === 'owes') && (
        <div className="grid grid-cols-[minmax(0,1fr)_112px] items-start gap-4">
          <TextBox
            frame={{ id: `${id}-amount`, helpId: `${id}-amount-help`, label: t('payment.amount') }}
            input={box('amount', amount)}
          />
          <TextBox
            frame={{ id: `${id}-currency`, helpId: `${id}-c-help`, label: t('field.currency') }}
            input={box('currency', currency)}
          />
        </div>
      )}
      {state === 'owes' && (
        <div className="grid grid-cols-1 gap-2">
          <span id={`${id}-due-label`}>{t('payment.due')}</span>
          <SelectBox
            id={`${id}-due`}
            value={due}
            options={[
              { value: '', label: t('payment.noDay') },
              { value: friday, label: t('payment.friday'), description: formatDay(friday) },
              { value: monthEnd, label: t('payment.monthEnd'), description: formatDay(monthEnd) },
              { value: OTHER, label: t('recurring.otherDate') },
            ]}
            onChange={(value) => setDue(value ?? '')}
          />
          {due === OTHER && <DayBox id={`${id}-day`} value={otherDay} onChange={setOtherDay} />}
        </div>
      )}
    </div>
  );
}
