import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Row } from '../../shared/ui/vocabulary.tsx';
import styles from './palette.module.css';

/** Keyboard hints, hidden on devices without a keyboard. */
export function PaletteHints({ onShowShortcuts }: { onShowShortcuts: () => void }) {
  const { t } = useTranslation('palette');
  return (
    <Row gap={16} muted caption className={styles.hints}>
      <span aria-hidden="true">
        <kbd>
          <ArrowUp size={12} strokeWidth={2.25} />
        </kbd>
        <kbd>
          <ArrowDown size={12} strokeWidth={2.25} />
        </kbd>
        {t('hints.move')}
      </span>
      <span aria-hidden="true">
        <kbd>{t('hints.enter')}</kbd>
        {t('hints.open')}
      </span>
      <button type="button" onClick={onShowShortcuts}>
        <kbd>?</kbd>
        {t('hints.shortcuts')}
      </button>
    </Row>
  );
}
