import { useTranslation } from 'react-i18next';
import { Card } from '#kit/ui/card.tsx';
import { useDelayed } from '#platform/browser/use-delayed.ts';
import styles from './servers.module.css';

const CARDS = ['a', 'b', 'c'];
const FIELDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

export function ServerSkeletons({ isVisible }: { isVisible: boolean }) {
  if (!isVisible) return null;
  return (
    <div className={styles.grid} aria-hidden="true">
      {CARDS.map((card) => (
        <Card as="div" key={card} className={styles.skeleton}>
          <span data-part="name" />
          <span />
          <span />
          <span />
          <span data-part="button" />
        </Card>
      ))}
    </div>
  );
}

export function ServerFormSkeleton() {
  const { t } = useTranslation('servers');
  const isSlow = useDelayed(true);
  if (!isSlow) return null;
  return (
    <Card as="div" className={styles.formSkeleton} role="status" aria-label={t('loading')}>
      {FIELDS.map((field) => (
        <span key={field} />
      ))}
    </Card>
  );
}
