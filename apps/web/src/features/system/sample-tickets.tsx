import { useTranslation } from 'react-i18next';
import { Badge } from '../../shared/ui/badge.tsx';
import { Card } from '../../shared/ui/card.tsx';
import styles from './system.module.css';

const samples = ['channel', 'invoice', 'password'] as const;

/** Sample tickets, for panels that have none yet. They exist on this page only and are labelled. */
export function SampleTickets() {
  const { t } = useTranslation('system');
  return (
    <Card title={t('samples.title')} className={styles.samples}>
      <p className={styles.lead}>{t('samples.text')}</p>
      <ul className={styles.tickets}>
        {samples.map((sample) => (
          <li key={sample}>
            <div>
              <h3>{t(`samples.${sample}.title`)}</h3>
              <p>{t(`samples.${sample}.text`)}</p>
            </div>
            <Badge tone="info">{t('samples.label')}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  );
}
