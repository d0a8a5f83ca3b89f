import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { TextInput } from '../../../shared/forms/fields/text-input.tsx';
import styles from './add-line.module.css';
import type { NewLineForm } from './add-line-types.ts';

const detailNames = ['name', 'company', 'email', 'info', 'live_channel'] as const;

/** Optional customer details, collapsed because most lines are sold without them. */
export function MoreDetails({ control }: { control: NewLineForm['control'] }) {
  const { t } = useTranslation('lines');
  return (
    <details className={styles.details}>
      <summary>
        {t('add.moreDetails')}
        <ChevronDown size={18} aria-hidden="true" />
      </summary>
      <div className={styles.detailFields}>
        {detailNames.map((name) => (
          <TextInput
            key={name}
            control={control}
            name={name}
            label={t(`add.${name}`)}
            type={name === 'email' ? 'email' : 'text'}
            autoComplete="off"
          />
        ))}
      </div>
    </details>
  );
}
