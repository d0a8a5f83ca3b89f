import { type Day, formatDay, parseDay } from '@linekeeper/contract/dates.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { type ReactNode, useId, useState } from 'react';
import { useController, useFormState, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { ExpiryBadge } from '#domain/lines/expiry.tsx';
import { PaymentField, usePayment } from '#domain/lines/payment/use-payment.tsx';
import type { RenewalDuration } from '#domain/lines/queries.ts';
import { isOffered, lastDayBefore, renewedDay } from '#domain/lines/renewal/days.ts';
import { RecentRenewal } from '#domain/lines/renewal/recent-renewal.tsx';
import { useRenewalTerm } from '#domain/lines/renewal/term.ts';
import { useRenewal } from '#domain/lines/renewal/use-renewal.ts';
import { isEnd } from '#domain/lines/renewal/use-renewal-quote.ts';
import { usePriceOf, useTerms } from '#domain/prices/prices.ts';
import { type Quote, QuoteSummary } from '#domain/prices/quote-summary.tsx';
import { ChangeAdvice, NotEnough, RefusedChange } from '#features/lines/refused-change.tsx';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { DAY_LENGTH, DayInput } from '#kit/forms/pickers/day-picker.tsx';
import { useContractForm } from '#kit/forms/use-contract-form.ts';
import { useSubmit } from '#kit/forms/use-submit.ts';
import { SheetHandle } from '#kit/overlays/dialogs/dialog-parts.tsx';
import { Drawer, Popover } from '#kit/overlays/late-overlays.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { Radio } from '#kit/ui/controls/radio.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { useCodeText } from '#platform/i18n/use-error-text.ts';

interface RenewPopoverProps {
  line: Line;
  anchor: HTMLElement;
  onClose: () => void;
}

/**
 * The popover in which a line is renewed: below the button that opened it, or a sheet at the bottom on a phone. The
 * durations are loaded before it opens, so that it does not move later.
 */
export function RenewPopover({ line, anchor, onClose }: RenewPopoverProps) {
  const titleId = useId();
  if (!useTerms()) return null;
  return (
    <FormPopover anchor={anchor} titleId={titleId} onClose={onClose}>
      <RenewForm line={line} titleId={titleId} onClose={onClose} />
    </FormPopover>
  );
}

interface FormPopoverProps {
  anchor: HTMLElement;
  /** Id of the heading that labels the popover. */
  titleId: string;
  onClose: () => void;
  children: ReactNode;
}

/** Pixels below a button; with less room, the form opens above the button, because it would cover it. */
const ROOM_BELOW = 120;

/** The side of the button with enough room. */
function placeAt(anchor: HTMLElement) {
  const { left, bottom } = anchor.getBoundingClientRect();
  return {
    side: bottom > window.innerHeight - ROOM_BELOW ? 'top' : 'bottom',
    align: left < window.innerWidth / 2 ? 'start' : 'end',
    gap: 12,
  } as const;
}

/** A popover with a short form at its button; on a phone a sheet from the bottom. */
function FormPopover({ anchor, titleId, onClose, children }: FormPopoverProps) {
  const isPhone = useIsPhone();
  const dialog = { 'aria-labelledby': titleId, disableRestoreFocus: true, onClose, children };
  if (isPhone) return <Drawer {...dialog} side="bottom" open />;
  return <Popover {...dialog} {...placeAt(anchor)} anchor={anchor} />;
}

/** The form's values; `months` is a term on sale, or null for another date. */
const chosenRenewal = z.object({
  months: z.number().nullable(),
  expiry_date: z.string(),
  may_shorten: z.boolean(),
});
type ChosenRenewal = z.output<typeof chosenRenewal>;

/**
 * The term for the request; null while the other date is invalid, would be refused, or would
 * shorten the line without the person's consent.
 */
function durationOf(
  { months, expiry_date, may_shorten }: ChosenRenewal,
  line: Line,
  after: Day | null,
): RenewalDuration | null {
  if (months !== null) return { subscription_months: months };
  const day = parseDay(expiry_date.trim());
  if (!day || !isOffered(day, after)) return null;
  if (day >= line.expiry_date) return { expiry_date: day };
  return may_shorten ? { expiry_date: day, may_shorten } : null;
}

function useRenewalForm({ plan_id }: Line) {
  const { term } = useRenewalTerm(plan_id);
  return useContractForm({
    schema: chosenRenewal,
    // Without prices, only a date can be chosen.
    defaultValues: { months: term ?? null, expiry_date: '', may_shorten: false },
  });
}
type RenewalForm = ReturnType<typeof useRenewalForm>;

interface RenewFormProps {
  line: Line;
  titleId: string;
  onClose: () => void;
}

/** Renews one line. The result is shown only after the panel has replied, because credits are spent. */
function RenewForm({ line, titleId, onClose }: RenewFormProps) {
  const { t } = useTranslation('lines');
  const form = useRenewalForm(line);
  const after = lastDayBefore(line.expiry_date, useToday(), useMe().is_admin);
  const chosen = useWatch({ control: form.control }) as ChosenRenewal;
  const duration = durationOf(chosen, line, after);
  const renewal = useRenewal(line, duration);
  const { quote, quoteError } = renewal;
  const isOwn = line.owner_id === useMe().id;
  const payment = usePayment(line, chosen.months);
  const submission = useSubmit({
    form,
    // A renewal cannot be bought before its price is shown.
    bodyOf: () =>
      duration && quote && !renewal.isShort
        ? { ...duration, payment: isOwn ? payment.given : undefined }
        : undefined,
    command: renewal,
    done: async (reply) => {
      if (isOwn) payment.keep();
      onClose();
      await renewal.tell(reply);
    },
    fieldOfCode: { INVALID_EXPIRY_DATE: 'expiry_date', WOULD_SHORTEN: 'expiry_date' },
    // The guard for unsaved input is off, because a term is quickly chosen again.
    isGuarded: false,
  });
  return (
    <Form
      submission={submission}
      className="w-94 max-w-full pt-4 px-5 pb-0 phone:w-auto phone:pt-2 phone:px-4 phone:pb-0 [&>dl+:not(.sticky,:empty)]:mt-4"
    >
      <SheetHandle />
      <h2 id={titleId}>{t('line.renewOf', { username: line.username })}</h2>
      <div className="flex items-center flex-wrap gap-y-1 gap-x-1.5 mt-1 mb-3 text-text-2">
        {t('renew.expires')} <ExpiryBadge day={line.expiry_date} />
      </div>
      <Choices form={form} line={line} titleId={titleId} />
      {chosen.months === null && (
        <OtherDate form={form} line={line} isWrong={duration === null} after={after} />
      )}
      <QuoteSummary quote={quote} />
      {isOwn && <PaymentField {...payment.field} />}
      {quote && renewal.isShort && <NotEnough quote={quote} />}
      {quoteError !== null && <RefusedChange error={quoteError} />}
      <FormProblems form={form} advice={(error) => <ChangeAdvice error={error} />} />
      <RecentRenewal text={renewal.recent} />
      <div className="flex flex-wrap items-stretch gap-2 sticky bottom-0 z-1 my-0 -mx-5 py-4 px-5 bg-paper *:flex-auto [&>:first-child]:grow-999 phone:my-0 phone:-mx-4 phone:pt-4 phone:px-4 phone:pb-6">
        <Button
          type="submit"
          variant="solid"
          pending={submission.isPending || renewal.isQuoting}
          disabled={renewal.isShort || isEnd(quoteError)}
        >
          <Effect quote={quote} />
        </Button>
        <Button onClick={onClose} disabled={submission.isPending}>
          {t('action.cancel')}
        </Button>
      </div>
    </Form>
  );
}

interface OtherDateProps {
  form: RenewalForm;
  line: Line;
  /** True if the text is not a date, or not one that is on sale. */
  isWrong: boolean;
  after: Day | null;
}

/**
 * The field for another date. Its error is shown once the date is complete, the field was left, or
 * the form was submitted.
 */
function OtherDate({ form: { control }, line, isWrong, after }: OtherDateProps) {
  const { t } = useTranslation('lines');
  const codeText = useCodeText();
  const text = useWatch({ control, name: 'expiry_date' });
  const { submitCount, touchedFields } = useFormState({ control });
  const isEnd = text.length >= DAY_LENGTH || (touchedFields.expiry_date && text !== '');
  const day = parseDay(text.trim());
  const isTooEarly = day !== null && after !== null && day <= after;
  const isShorter = day !== null && !isTooEarly && day < line.expiry_date;
  const { field: shorten } = useController({ control, name: 'may_shorten' });
  const problem = isTooEarly
    ? t('renew.mustBeLater', { day: formatDay(after) })
    : codeText(isShorter ? 'WOULD_SHORTEN' : 'INVALID_EXPIRY_DATE');
  return (
    <div className="mt-2">
      <DayInput
        control={control}
        name="expiry_date"
        label={t('renew.date')}
        problem={
          isWrong && (isShorter ? submitCount > 0 : isEnd || submitCount > 0) ? problem : undefined
        }
        autoFocus
      />
      {isShorter && (
        <CheckboxField checked={shorten.value} onChange={shorten.onChange}>
          <b>{t('renew.shorten')}</b> {t('renew.shortenHint')}
        </CheckboxField>
      )}
    </div>
  );
}

function Effect({ quote }: { quote: Quote | null }) {
  const { t } = useTranslation('lines');
  if (useMe().is_admin || !quote) return t('action.renew');
  return t('renew.confirm', { credits: t('credits.amount', { count: quote.cost }) });
}

function Choices({ form, line, titleId }: { form: RenewalForm; line: Line; titleId: string }) {
  const { t } = useTranslation('lines');
  const today = useToday();
  const { is_admin } = useMe();
  const priceOf = usePriceOf(line.plan_id);
  const terms = useTerms(line.plan_id) ?? [];
  const name = useId();
  const { term } = useRenewalTerm(line.plan_id);
  const [first] = useState(term);
  const { field } = useController({ control: form.control, name: 'months' });
  const radio = (months: number | null) => ({
    name,
    checked: field.value === months,
    onChange: () => field.onChange(months),
    // The selected option gets the focus, so that Enter submits and arrow keys change the term.
    ref: focusWhen(months === first),
  });
  return (
    <div className="my-0 -mx-2" role="radiogroup" aria-labelledby={titleId}>
      {terms.map((months) => (
        <label key={months} className={TERM}>
          <Radio {...radio(months)} />
          <b className="type-strong">{t('credits.months', { count: months })}</b>
          <span className="text-text-2 [:has(:checked)>&]:text-neutral-fg">
            {formatDay(renewedDay(months, line.expiry_date, today))}
          </span>
          <span className="text-text-2 [:has(:checked)>&]:text-neutral-fg text-end">
            {is_admin ? (
              t('add.free')
            ) : (
              <>
                <b className="text-text type-strong">{priceOf(months) ?? '–'}</b>{' '}
                {t('counted.credits', { count: priceOf(months) ?? 0 })}
              </>
            )}
          </span>
        </label>
      ))}
      <label className={TERM}>
        <Radio {...radio(null)} />
        <b className="type-strong">{t('recurring.otherDate')}</b>
      </label>
    </div>
  );
}

/** The look of a term with its day and price, or of another date. */
const TERM =
  'grid grid-cols-[20px_1fr_auto_88px] items-center gap-3 h-10 py-0 px-3 rounded-control whitespace-nowrap cursor-pointer hover:bg-hover [&:has(:checked)]:bg-primary-soft [&:has(:checked)]:[box-shadow:inset_0_0_0_1px_var(--color-primary)] [&:has(:focus-visible)]:[outline:2px_solid_var(--color-primary)] [&:has(:focus-visible)]:outline-offset-2 phone:h-13 small-phone:grid-cols-[20px_1fr_auto_auto] small-phone:gap-2 small-phone:h-11 small-phone:py-0 small-phone:px-2';

function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
}

function focusWhen(isFirst: boolean) {
  return isFirst ? takeFocus : undefined;
}
