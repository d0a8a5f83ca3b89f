import { addDays, addMonths, formatDay } from '@linekeeper/contract/dates.ts';
import { terms } from '@linekeeper/contract/pricing.ts';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { usePriceOf } from '#domain/prices/prices.ts';
import { quoteQuery } from '#features/lines/queries.ts';
import { useFieldErrorText } from '#kit/forms/fields/use-field.ts';
import { Radio } from '#kit/ui/controls/radio.tsx';
import { Caption, Row } from '#kit/ui/vocabulary.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { publicSettingsQuery, useToday } from '#platform/data/settings.ts';
import type { NewLineForm } from './add-line-types.ts';
import styles from './duration-cards.module.css';
import { useCanPay } from './use-payable.ts';

export function DurationCards({ form }: { form: NewLineForm }) {
  const { t } = useTranslation('lines');
  const { control, setValue } = form;
  const priceOf = usePriceOf();
  const canPay = useCanPay();
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
        {terms.map((months) => (
          <MonthsCard
            key={months}
            months={months}
            cost={priceOf(months)}
            radio={{ ...radio(months), disabled: !canPay(months) }}
          />
        ))}
      </div>
      {errorText && (
        <Row id={`${id}-error`} as="p" align="stretch" gap={4} caption className={styles.error}>
          <CircleAlert size={14} strokeWidth={2} />
          {errorText}
        </Row>
      )}
    </fieldset>
  );
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
    <label className={`choice ${styles.card}`}>
      <Row semibold as="span" gap={8} justify="between" phoneGap={4}>
        <span className={styles.title}>{title}</span>
        <Radio {...radio} />
      </Row>
      <span className={styles.price} data-word={typeof price === 'string' || undefined}>
        {price}
      </span>
      {children}
    </label>
  );
}

function TrialCard({ radio }: { radio: RadioProps }) {
  const { t } = useTranslation('lines');
  const today = useToday();
  const { data: settings } = useQuery(publicSettingsQuery());
  const { data: quote } = useQuery(quoteQuery({ is_trial: true }));
  const left = quote?.trials_left ?? null;
  const isPhone = useIsPhone();
  const days = settings && t('filter.days', { count: settings.trial_days });
  if (isPhone && left === 0) return null;
  return (
    <DurationCard
      radio={{ ...radio, disabled: left === 0 }}
      title={t('status.trial')}
      price={t('add.free')}
    >
      <Caption onlyWide>
        {settings && left !== null
          ? t('add.trialsLeft', { days, left, limit: settings.trial_limit })
          : days}
      </Caption>
      <Caption onlyWide>
        {settings && t('until', { day: formatDay(addDays(today, settings.trial_days)) })}
      </Caption>
      <Caption className={styles.onPhone}>
        {settings && left !== null ? t('add.left', { left, limit: settings.trial_limit }) : days}
      </Caption>
    </DurationCard>
  );
}

interface MonthsCardProps {
  months: number;
  /** undefined until the prices are loaded. */
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
            {cost ?? '–'} <small>{t('add.credits', { count: cost ?? 0 })}</small>
          </>
        )
      }
    >
      {!isFree && (
        <Caption onlyWide>
          {cost === undefined
            ? '–'
            : t('add.perMonth', { amount: twoDigits.format(cost / months) })}
        </Caption>
      )}
      <Caption onlyWide>{t('until', { day: formatDay(addMonths(today, months)) })}</Caption>
      <Caption className={styles.onPhone}>{formatDay(addMonths(today, months))}</Caption>
    </DurationCard>
  );
}
