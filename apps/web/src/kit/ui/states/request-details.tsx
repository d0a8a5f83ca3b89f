import { useTranslation } from 'react-i18next';
import { ApiError } from '#platform/api/client.ts';

/** Collapsed details that help support to find the request in the log. */
export function RequestDetails({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!(error instanceof ApiError)) return null;
  return (
    <details className="type-caption wrap-anywhere [&_summary]:py-[3px] [&_summary]:px-0 [&_summary]:cursor-pointer">
      <summary>{t('error.details')}</summary>
      <p>{error.code}</p>
      {error.requestId && <p>{t('error.requestId', { id: error.requestId })}</p>}
    </details>
  );
}
