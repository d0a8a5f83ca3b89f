import { Rows3, Rows4 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import styles from './columns-button.module.css';
import { useChangeListPreferences, useListPreferences } from './use-list-preferences.ts';

/** Switches between row heights of 52 and 36 pixels. */
export function DensityButton() {
  const { t } = useTranslation();
  const { density } = useListPreferences();
  const { change, offerUndo } = useChangeListPreferences();
  const isCompact = density === 'compact';
  const toggle = () => {
    change({ density: isCompact ? 'comfortable' : 'compact' });
    offerUndo(isCompact ? t('list.density.nowComfortable') : t('list.density.nowCompact'), {
      density,
    });
  };
  return (
    <span className={styles.tableOnly}>
      <IconButton label={t('list.density.compact')} aria-pressed={isCompact} onClick={toggle}>
        {isCompact ? (
          <Rows4 size={20} aria-hidden="true" />
        ) : (
          <Rows3 size={20} aria-hidden="true" />
        )}
      </IconButton>
    </span>
  );
}
