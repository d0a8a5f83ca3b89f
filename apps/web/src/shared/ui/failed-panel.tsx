import { RefreshCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client.ts';
import { useErrorText } from '../i18n/use-error-text.ts';
import { Button } from './button.tsx';
import styles from './panel.module.css';
import { RequestDetails } from './request-details.tsx';

interface FailedPanelProps {
  error: unknown;
  onRetry?: () => void;
  /** In place of Retry, where trying again is of no use. */
  action?: ReactNode;
}

/** A refusal, and a sentence that ends with the advice itself. */
function saysWhatToDo({ status, code }: ApiError): boolean {
  return (status >= 400 && status < 500) || code === 'NETWORK' || code === 'DATABASE_UNAVAILABLE';
}

/** In place of what could not be loaded: the sentence, what to do, and a way to try again. */
export function FailedPanel({ error, onRetry, action }: FailedPanelProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const isComplete = error instanceof ApiError && saysWhatToDo(error);
  return (
    <div className={styles.panel} role="alert">
      <span className={styles.icon} data-tone="error" aria-hidden="true">
        <TriangleAlert />
      </span>
      <h2>{errorText(error)}</h2>
      {!isComplete && <p>{t('error.tryAgain')}</p>}
      {onRetry && (
        <Button variant="solid" icon={<RefreshCw aria-hidden="true" />} onClick={onRetry}>
          {t('action.retry')}
        </Button>
      )}
      {action}
      <RequestDetails error={error} />
    </div>
  );
}
