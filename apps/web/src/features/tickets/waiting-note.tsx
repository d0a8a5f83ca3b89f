import { CloudUpload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { Row } from '../../shared/ui/vocabulary.tsx';
import styles from './tickets.module.css';

/** Says that what was submitted without a connection is sent once there is one. */
export function WaitingNote({ draft }: { draft: { takeBack: () => void } }) {
  const { t } = useTranslation('tickets');
  return (
    <Row gap="8 12" wrap className={styles.note} role="status">
      <CloudUpload size={18} />
      <span className={styles.text}>{t('waiting.text')}</span>
      <Button size="small" onClick={draft.takeBack}>
        {t('waiting.takeBack')}
      </Button>
    </Row>
  );
}
