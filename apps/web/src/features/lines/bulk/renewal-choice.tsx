import { type Job, MAX_MORE_DAYS, optInKinds } from '@linekeeper/contract/lines/bulk.ts';
import { terms } from '@linekeeper/contract/pricing.ts';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../../shared/browser/use-is-phone.ts';
import { usePriceOf } from '../../../shared/data/prices.ts';
import { useMe } from '../../../shared/data/session.ts';
import { CheckboxField } from '../../../shared/ui/controls/checkbox-field.tsx';
import { CoveringInput } from '../../../shared/ui/controls/covering-input.tsx';
import { Caption, Stack } from '../../../shared/ui/vocabulary.tsx';
import type { BulkChange, BulkChangeOf, ChoiceProps } from './bulk-change.ts';
import styles from './bulk-dialog.module.css';
import { EditChoice } from './edit-choice.tsx';
import { MoveChoice } from './move-choice.tsx';
import { SuspendChoice } from './suspend-choice.tsx';

interface RenewalChoiceProps extends ChoiceProps<BulkChange> {
  /** How many lines are of each kind that gets more days only if it is chosen. */
  kinds: Job['kinds'];
}

/** The inputs of each bulk action; resuming and deleting have none. */
export function RenewalChoice({ change, onChange, kinds }: RenewalChoiceProps): ReactNode {
  switch (change.action) {
    case 'renew':
      return <RenewChoice change={change} onChange={onChange} kinds={kinds} />;
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

type RenewChange = BulkChangeOf<'renew'>;
type RenewChoiceProps = ChoiceProps<RenewChange> & Pick<RenewalChoiceProps, 'kinds'>;

function RenewChoice({ change, onChange, kinds }: RenewChoiceProps) {
  const { t } = useTranslation('bulk');
  const isPhone = useIsPhone();
  const { is_admin } = useMe();
  const priceOf = usePriceOf();
  const name = useId();
  return (
    <Stack as="fieldset" gap={16}>
      <legend className="visually-hidden">{t('preview.duration')}</legend>
      <div className={styles.durations} data-days={is_admin || undefined}>
        {terms.map((months) => (
          <label key={months}>
            <CoveringInput
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
        {is_admin && (
          <label>
            <CoveringInput
              type="radio"
              name={name}
              checked={change.days !== undefined}
              onChange={() => onChange({ action: 'renew', days: 1 })}
            />
            <span>
              <b>+</b> {t('preview.days')}
            </span>
            <small>{t('preview.free')}</small>
          </label>
        )}
      </div>
      {change.days !== undefined && (
        <DaysChoice change={change} onChange={onChange} kinds={kinds} />
      )}
    </Stack>
  );
}

/** So many days for nothing, and the kinds of lines that get them only if they are chosen. */
function DaysChoice({ change, onChange, kinds }: RenewChoiceProps) {
  const { t } = useTranslation('bulk');
  const id = useId();
  const { days = 0, include = [] } = change;
  // Kept while the next preview is loading, and where a kind was chosen that is there no more.
  const found = optInKinds.filter((kind) => (kinds?.[kind] ?? 0) > 0 || include.includes(kind));
  return (
    <>
      <div className={styles.field}>
        <label htmlFor={id}>
          <b>{t('preview.daysEach')}</b>
        </label>
        <input
          id={id}
          className={styles.days}
          type="number"
          inputMode="numeric"
          min={1}
          max={MAX_MORE_DAYS}
          aria-describedby={`${id}-hint`}
          value={days > 0 ? days : ''}
          onChange={({ target }) => onChange({ ...change, days: Number(target.value) })}
        />
        <Caption id={`${id}-hint`} as="p">
          {t('preview.daysHint')}
        </Caption>
      </div>
      {found.length > 0 && (
        <fieldset className={styles.field}>
          <legend>{t('preview.leftOut')}</legend>
          {found.map((kind) => (
            <CheckboxField
              key={kind}
              checked={include.includes(kind)}
              onChange={(isChecked) =>
                onChange({
                  ...change,
                  include: optInKinds.filter((one) =>
                    one === kind ? isChecked : include.includes(one),
                  ),
                })
              }
            >
              {t(`preview.kinds.${kind}`, { count: kinds?.[kind] ?? 0 })}
            </CheckboxField>
          ))}
        </fieldset>
      )}
    </>
  );
}

function Warning({ text }: { text: 'preview.resumeText' | 'preview.deleteWarning' }) {
  const { t } = useTranslation('bulk');
  return <p>{t(text)}</p>;
}
