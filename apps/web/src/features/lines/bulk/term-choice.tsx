import { prices } from '@linekeeper/contract/credits.ts';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../shared/session.ts';
import { useIsPhone } from '../../../shared/ui/use-is-phone.ts';
import styles from './bulk-dialog.module.css';
import { EditChoice } from './edit-choice.tsx';
import { MoveChoice } from './move-choice.tsx';
import type { ChoiceProps, Term, TermOf } from './term.ts';

/** What there is to choose before something is done; deleting has no choice. */
export function TermChoice({ term, onChange }: ChoiceProps<Term>): ReactNode {
  switch (term.action) {
    case 'renew':
      return <RenewChoice term={term} onChange={onChange} />;
    case 'edit':
      return <EditChoice term={term} onChange={onChange} />;
    case 'move':
      return <MoveChoice term={term} onChange={onChange} />;
    case 'delete':
      return <DeleteWarning />;
  }
}

function RenewChoice({ term, onChange }: ChoiceProps<TermOf<'renew'>>) {
  const { t } = useTranslation('bulk');
  const isPhone = useIsPhone();
  const { is_admin } = useMe();
  const name = useId();
  return (
    <fieldset>
      <legend className="visually-hidden">{t('preview.duration')}</legend>
      <div className={styles.durations}>
        {prices.map(({ months, cost }) => (
          <label key={months}>
            <input
              type="radio"
              name={name}
              checked={term.subscription_months === months}
              onChange={() => onChange({ action: 'renew', subscription_months: months })}
            />
            <span>
              <b>{months}</b>{' '}
              {t(isPhone ? 'preview.monthsShort' : 'preview.months', { count: months })}
            </span>
            <small>{is_admin ? t('preview.free') : t('preview.eachCost', { cost })}</small>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function DeleteWarning() {
  const { t } = useTranslation('bulk');
  return <p>{t('preview.deleteWarning')}</p>;
}
