import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client.ts';
import styles from './request-details.module.css';

/** What support needs to find the request, folded away. */
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
