import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import styles from './palette.module.css';

/** What the keys do, for those who have some. */
export function PaletteHints() {
  const { t } = useTranslation('palette');
  return (
    <div className={styles.hints} aria-hidden="true">
      <span>
        <kbd>
          <ArrowUp size={12} strokeWidth={2.25} />
        </kbd>
        <kbd>
          <ArrowDown size={12} strokeWidth={2.25} />
        </kbd>
        {t('hints.move')}
      </span>
      <span>
        <kbd>{t('hints.enter')}</kbd>
        {t('hints.open')}
      </span>
      <span>
        <kbd>{t('hints.esc')}</kbd>
        {t('hints.close')}
      </span>
    </div>
  );
}
