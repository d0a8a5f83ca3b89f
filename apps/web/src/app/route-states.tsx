import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Card } from '../shared/ui/card.tsx';
import { FailedPanel } from '../shared/ui/failed-panel.tsx';
import styles from './route-states.module.css';

/** In place of a screen that could not be loaded or drawn. */
export function RouteFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Card flush>
      <FailedPanel error={error} onRetry={retry} />
    </Card>
  );
}

/** The same where there is no shell around it, such as when the panel cannot be reached at all. */
export function ShellFailed(props: ErrorComponentProps) {
  return (
    <main className={styles.outside}>
      <h1 className="visually-hidden">Linekeeper</h1>
      <RouteFailed {...props} />
    </main>
  );
}

/** Shown only where a screen's code takes longer than a second. */
export function RoutePending() {
  const { t } = useTranslation();
  return (
    <p className={styles.pending} role="status">
      {t('loading')}
    </p>
  );
}
