import { Rows3, Rows4 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useChangePreferences, usePreferences } from '../../shared/preferences.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import styles from './toolbar.module.css';

/** Rows of 52 or 36 pixels. */
export function DensityButton() {
  const { t } = useTranslation('lines');
  const { density } = usePreferences();
  const { change, offerUndo } = useChangePreferences();
  const isCompact = density === 'compact';
  const toggle = () => {
    change({ density: isCompact ? 'comfortable' : 'compact' });
    offerUndo(isCompact ? t('density.nowComfortable') : t('density.nowCompact'), { density });
  };
  return (
    <span className={styles.tableOnly}>
      <IconButton label={t('density.compact')} aria-pressed={isCompact} onClick={toggle}>
        {isCompact ? (
          <Rows4 size={20} aria-hidden="true" />
        ) : (
          <Rows3 size={20} aria-hidden="true" />
        )}
      </IconButton>
    </span>
  );
}
