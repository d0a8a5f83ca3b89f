import { addDays, addMonths, formatDay } from '@linekeeper/contract/dates.ts';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useOwnLimits } from '#domain/accounts/use-own-limits.ts';
import { pricesQuery, usePriceOf, useTerms } from '#domain/prices/prices.ts';
import { quoteQuery } from '#features/lines/queries.ts';
import { useFieldErrorText } from '#kit/forms/fields/use-field.ts';
import { Radio } from '#kit/ui/controls/radio.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { publicSettingsQuery, useToday } from '#platform/data/settings.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import type { NewLineForm } from './add-line-types.ts';
import { useCanPay } from './use-payable.ts';

export function DurationCards({ form }: { form: NewLineForm }) {
  const { t } = useTranslation('lines');
  const { control, setValue } = form;
  const planId = useWatch({ control, name: 'plan_id' });
  const priceOf = usePriceOf(planId);
  const terms = useTerms(planId) ?? [];
  const hasTrial = useHasTrial();
  const canPay = useCanPay(planId);
  const id = useId();
  const isTrial = useWatch({ control, name: 'is_trial' });
  const { field, fieldState } = useController({ control, name: 'subscription_months' });
  const { data: prices, failureReason } = useQuery(pricesQuery());
  const errorTextOf = useErrorText();
  const fieldErrorText = useFieldErrorText()(fieldState.error);
  // Without prices there are no durations to choose from.
  const isUnread = !prices && failureReason !== null;
  const errorText = isUnread ? errorTextOf(failureReason) : fieldErrorText;

  const choose = (months: number | undefined) => {
    setValue('is_trial', months === undefined, { shouldDirty: true });
    field.onChange(months);
  };
  const radio = (months: number | undefined) => ({
    name: id,
    checked: months === undefined ? isTrial : !isTrial && months === field.value,
    onChange: () => choose(months),
  });
  return (
    <fieldset
      className="[&_legend]:mb-2 [&_legend]:[&>span]:ms-0.5 [&_legend]:[&>span]:text-danger"
      aria-describedby={errorText && `${id}-error`}
    >
      <legend>
        {t('field.duration')}
        <span aria-hidden="true">*</span>
      </legend>
      <div className="grid grid-cols-3 gap-3 phone:gap-2 small-phone:grid-cols-2">
        {hasTrial && <TrialCard planId={planId} radio={{ ...radio(undefined), ref: field.ref }} />}
        {terms.map((months, index) => (
          <MonthsCard
            key={months}
            months={months}
            cost={priceOf(months)}
            radio={{
              ...radio(months),
              disabled: !canPay(months),
              // The first card gets the focus if the panel refuses the duration.
              ref: !hasTrial && index === 0 ? field.ref : undefined,
            }}
          />
        ))}
      </div>
      <NothingShort terms={terms} />
      {errorText && (
        <p
          id={`${id}-error`}
          className="flex items-stretch gap-1 type-caption mt-1 text-danger [&>svg]:mt-0.5"
        >
          <CircleAlert size={14} strokeWidth={2} />
          {errorText}
        </p>
      )}
    </fieldset>
  );
}

/** The message that all terms on sale are longer than the account's limit. */
function NothingShort({ terms }: { terms: readonly number[] }) {
  const { t } = useTranslation('lines');
  const most = useOwnLimits().data?.max_months.bound;
  const { isSuccess } = useQuery(pricesQuery());
  if (!isSuccess || terms.length > 0 || typeof most !== 'number') return null;
  return (
    <p className="mt-2 text-text-2">
      {t('limit.noTerm', { months: t('credits.months', { count: most }) })}
    </p>
  );
}

/** True if trials are offered; the settings may allow them to administrators only. */
function useHasTrial(): boolean {
  const { is_admin } = useMe();
  const { data: settings } = useQuery(publicSettingsQuery());
  return is_admin || settings?.trial_limit !== 0;
}

type RadioProps = React.ComponentProps<'input'>;

function DurationCard({
  radio,
  title,
  price,
  children,
}: {
  radio: RadioProps;
  title: string;
  price: ReactNode;
  children: ReactNode;
}) {
  return (
    <label className="choice flex flex-col py-3 px-4 [&:hover:not(:has(:checked))]:border-input-border [&:has(:disabled)]:bg-head [&:has(:disabled)]:cursor-default phone:relative phone:py-2.5 phone:px-3 phone:[&_input]:absolute phone:[&_input]:inset-0 phone:[&_input]:w-full phone:[&_input]:h-full phone:[&_input]:opacity-0">
      <span className="flex items-center justify-between gap-2 phone:gap-1 font-semibold">
        <span className="whitespace-nowrap phone:tracking-[-0.01em]">{title}</span>
        <Radio {...radio} />
      </span>
      <span
        className="my-1 mx-0 type-[700_20px/28px_var(--font)] [&_small]:type-body phone:m-0 phone:type-[700_18px/28px_var(--font)] phone:[&_small]:type-caption phone:data-word:text-[15px] phone:data-word:tracking-[-0.02em]"
        data-word={typeof price === 'string' || undefined}
      >
        {price}
      </span>
      {children}
    </label>
  );
}

function TrialCard({ planId, radio }: { planId: string | undefined; radio: RadioProps }) {
  const { t } = useTranslation('lines');
  const today = useToday();
  const { data: settings } = useQuery(publicSettingsQuery());
  const { data: quote } = useQuery(quoteQuery({ plan_id: planId, is_trial: true }));
  const left = quote?.trials_left ?? null;
  const isPhone = useIsPhone();
  const days = settings && t('counted.days', { count: settings.trial_days });
  if (isPhone && left === 0) return null;
  return (
    <DurationCard
      radio={{ ...radio, disabled: left === 0 }}
      title={t('line.status.trial')}
      price={t('add.free')}
    >
      <span className="text-text-2 type-caption only-wide">
        {settings && left !== null
          ? t('add.trialsLeft', { days, left, limit: settings.trial_limit })
          : days}
      </span>
      <span className="text-text-2 type-caption only-wide">
        {settings && t('until', { day: formatDay(addDays(today, settings.trial_days)) })}
      </span>
      <span className="text-text-2 type-caption above-phone:hidden [@media(height<560px)]:hidden [[data-keyboard]_&]:hidden">
        {settings && left !== null ? t('add.left', { left, limit: settings.trial_limit }) : days}
      </span>
    </DurationCard>
  );
}

interface MonthsCardProps {
  months: number;
  /** The price in credits; undefined until prices are loaded. */
  cost: number | undefined;
  radio: RadioProps;
}

function MonthsCard({ months, cost, radio }: MonthsCardProps) {
  const { t, i18n } = useTranslation('lines');
  const today = useToday();
  // Administrators are not charged.
  const isFree = useMe().is_admin;
  const twoDigits = new Intl.NumberFormat(i18n.language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return (
    <DurationCard
      radio={radio}
      title={t('credits.months', { count: months })}
      price={
        isFree ? (
          t('add.free')
        ) : (
          <>
            {cost ?? '–'} <small>{t('counted.credits', { count: cost ?? 0 })}</small>
          </>
        )
      }
    >
      {!isFree && (
        <span className="text-text-2 type-caption only-wide">
          {cost === undefined
            ? '–'
            : t('add.perMonth', { amount: twoDigits.format(cost / months) })}
        </span>
      )}
      <span className="text-text-2 type-caption only-wide">
        {t('until', { day: formatDay(addMonths(today, months)) })}
      </span>
      <span className="text-text-2 type-caption above-phone:hidden [@media(height<560px)]:hidden [[data-keyboard]_&]:hidden">
        {formatDay(addMonths(today, months))}
      </span>
    </DurationCard>
  );
}
