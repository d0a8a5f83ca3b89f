import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyShell } from '../shared/layout/empty-shell.tsx';
import { Card } from '../shared/ui/card.tsx';
import { FailedPanel } from '../shared/ui/states/failed-panel.tsx';
import styles from './route-states.module.css';

/** Shown instead of a screen that could not be loaded or rendered. */
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

/** The same without the shell, for example when the panel cannot be reached at all. */
export function ShellFailed(props: ErrorComponentProps) {
  return (
    <main className={styles.outside}>
      <h1 className="visually-hidden">Linekeeper</h1>
      <RouteFailed {...props} />
    </main>
  );
}

/**
 * Placeholder for a title and a card, shown only when a screen's code takes longer than a second.
 */
export function RoutePending() {
  const { t } = useTranslation();
  return (
    <div className={styles.pending}>
      <p className="visually-hidden" role="status">
        {t('loading')}
      </p>
      <span className={styles.title} />
      <Card flush className={styles.card} />
    </div>
  );
}

/** The same placeholder while the shell itself is loading. */
export function ShellPending() {
  return (
    <EmptyShell>
      <main className={styles.main}>
        <RoutePending />
      </main>
    </EmptyShell>
  );
}
