import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/buttons/button.tsx';
import dialogStyles from '../ui/dialogs/dialog.module.css';
import { Dialog } from '../ui/overlays.tsx';
import { TypedText } from '../ui/typed-text.tsx';
import styles from './legal-notice-dialog.module.css';

interface LegalNoticeDialogProps {
  text: string;
  onClose: () => void;
}

export function LegalNoticeDialog({ text, onClose }: LegalNoticeDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={id}>
      <div className={dialogStyles.content}>
        <h2 id={id}>{t('legalNotice')}</h2>
        <p className={styles.text}>
          <TypedText>{text}</TypedText>
        </p>
        <div className={dialogStyles.actions}>
          <Button autoFocus onClick={onClose}>
            {t('action.close')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
