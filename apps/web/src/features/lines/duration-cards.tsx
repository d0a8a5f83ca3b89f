import { prices } from '@linekeeper/contract/credits.ts';
import { addDays, addMonths, showDay } from '@linekeeper/contract/dates.ts';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useFieldErrorText } from '../../shared/forms/use-field.ts';
import { useMe } from '../../shared/session.ts';
import { publicSettingsQuery, useToday } from '../../shared/settings.ts';
import type { NewLineForm } from './add-line-types.ts';
import styles from './duration-cards.module.css';
import { quoteQuery } from './queries.ts';

/** A trial or a number of months, each with what it costs and how long it lasts. */
export function DurationCards({ form }: { form: NewLineForm }) {
  const { t } = useTranslation('lines');
  const { control, setValue } = form;
  const id = useId();
  const isTrial = useWatch({ control, name: 'is_trial' });
  const { field, fieldState } = useController({ control, name: 'subscription_months' });
  const errorText = useFieldErrorText()(fieldState.error);

  const choose = (months: number | undefined) => {
    setValue('is_trial', months === undefined, { shouldDirty: true });
    field.onChange(months);
  };
  const radio = (months: number | undefined) => ({
    name: id,
    checked: isTrial ? months === undefined : months === field.value,
    onChange: () => choose(months),
  });
  return (
    <fieldset className={styles.durations} aria-describedby={errorText && `${id}-error`}>
      <legend>
        {t('add.duration')}
        <span aria-hidden="true">*</span>
      </legend>
      <div className={styles.cards}>
        <TrialCard radio={{ ...radio(undefined), ref: field.ref }} />
        {prices.map(({ months, cost }) => (
          <MonthsCard key={months} months={months} cost={cost} radio={radio(months)} />
        ))}
      </div>
      {errorText && (
        <p id={`${id}-error`} className={styles.error}>
          <CircleAlert aria-hidden="true" size={14} strokeWidth={2} />
          {errorText}
        </p>
      )}
    </fieldset>
  );
}

type Radio = React.ComponentProps<'input'>;

function DurationCard({
  radio,
  title,
  price,
  children,
}: {
  radio: Radio;
  title: string;
  price: ReactNode;
  children: ReactNode;
}) {
  return (
    <label className={styles.card}>
      <span className={styles.title}>
        {title}
        <input type="radio" {...radio} />
      </span>
      <span className={styles.price}>{price}</span>
      {children}
    </label>
  );
}

function TrialCard({ radio }: { radio: Radio }) {
  const { t } = useTranslation('lines');
  const today = useToday();
  const { data: settings } = useQuery(publicSettingsQuery());
  const { data: quote } = useQuery(quoteQuery({ is_trial: true }));
  const left = quote?.trials_left ?? null;
  const days = settings && t('filter.days', { count: settings.trial_days });
  return (
    <DurationCard
      radio={{ ...radio, disabled: left === 0 }}
      title={t('status.trial')}
      price={t('add.free')}
    >
      <span className={styles.detail}>
        {settings && left !== null
          ? t('add.trialsLeft', { days, left, limit: settings.trial_limit })
          : days}
      </span>
      <span className={styles.detail}>
        {settings && t('add.until', { day: showDay(addDays(today, settings.trial_days)) })}
      </span>
    </DurationCard>
  );
}

function MonthsCard({ months, cost, radio }: { months: number; cost: number; radio: Radio }) {
  const { t, i18n } = useTranslation('lines');
  const { t: common } = useTranslation();
  const today = useToday();
  // An administrator's sale debits nobody.
  const isFree = useMe().is_admin;
  const twoDigits = new Intl.NumberFormat(i18n.language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return (
    <DurationCard
      radio={radio}
      title={common('credits.months', { count: months })}
      price={
        isFree ? (
          t('add.free')
        ) : (
          <>
            {cost} <small>{t('add.credits', { count: cost })}</small>
          </>
        )
      }
    >
      {!isFree && (
        <span className={styles.detail}>
          {t('add.perMonth', { amount: twoDigits.format(cost / months) })}
        </span>
      )}
      <span className={styles.detail}>
        {t('add.until', { day: showDay(addMonths(today, months)) })}
      </span>
    </DurationCard>
  );
}
