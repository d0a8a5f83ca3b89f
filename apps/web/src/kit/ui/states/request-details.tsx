import { useTranslation } from 'react-i18next';
import { ApiError } from '#platform/api/client.ts';
import styles from './request-details.module.css';

/** Collapsed details that help support to find the request in the log. */
export function RequestDetails({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!(error instanceof ApiError)) return null;
  return (
    <details className={styles.details}>
      <summary>{t('error.details')}</summary>
      <p>{error.code}</p>
      {error.requestId && <p>{t('error.requestId', { id: error.requestId })}</p>}
    </details>
  );
}
