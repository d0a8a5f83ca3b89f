import { terms } from '@linekeeper/contract/pricing.ts';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { usePriceOf } from '../../../shared/prices.ts';
import { useMe } from '../../../shared/session.ts';
import { useIsPhone } from '../../../shared/ui/use-is-phone.ts';
import type { BulkChange, BulkChangeOf, ChoiceProps } from './bulk-change.ts';
import styles from './bulk-dialog.module.css';
import { EditChoice } from './edit-choice.tsx';
import { MoveChoice } from './move-choice.tsx';
import { SuspendChoice } from './suspend-choice.tsx';

/** The inputs of each bulk action; resuming and deleting have none. */
export function RenewalChoice({ change, onChange }: ChoiceProps<BulkChange>): ReactNode {
  switch (change.action) {
    case 'renew':
      return <RenewChoice change={change} onChange={onChange} />;
    case 'edit':
      return <EditChoice change={change} onChange={onChange} />;
    case 'move':
      return <MoveChoice change={change} onChange={onChange} />;
    case 'suspend':
      return <SuspendChoice change={change} onChange={onChange} />;
    case 'resume':
      return <Warning text="preview.resumeText" />;
    case 'delete':
      return <Warning text="preview.deleteWarning" />;
  }
}

function RenewChoice({ change, onChange }: ChoiceProps<BulkChangeOf<'renew'>>) {
  const { t } = useTranslation('bulk');
  const isPhone = useIsPhone();
  const { is_admin } = useMe();
  const priceOf = usePriceOf();
  const name = useId();
  return (
    <fieldset>
      <legend className="visually-hidden">{t('preview.duration')}</legend>
      <div className={styles.durations}>
        {terms.map((months) => (
          <label key={months}>
            <input
              type="radio"
              name={name}
              checked={change.subscription_months === months}
              onChange={() => onChange({ action: 'renew', subscription_months: months })}
            />
            <span>
              <b>{months}</b>{' '}
              {t(isPhone ? 'preview.monthsShort' : 'preview.months', { count: months })}
            </span>
            <small>
              {is_admin
                ? t('preview.free')
                : t('preview.eachCost', { cost: priceOf(months) ?? '–' })}
            </small>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Warning({ text }: { text: 'preview.resumeText' | 'preview.deleteWarning' }) {
  const { t } = useTranslation('bulk');
  return <p>{t(text)}</p>;
}
