import { useTranslation } from 'react-i18next';
import { ApiError } from '../../shared/api/client.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import { RequestDetails } from '../../shared/ui/request-details.tsx';

/** Why a change of a line was refused, and what to do about it. */
export function RefusedChange({ error }: { error: Error }) {
  const errorText = useErrorText();
  return (
    <Banner tone="error" title={errorText(error)} isAlert>
      {error instanceof ApiError && <ChangeAdvice error={error} />}
      {error instanceof ApiError && error.status >= 500 && <RequestDetails error={error} />}
    </Banner>
  );
}

export function ChangeAdvice({ error }: { error: ApiError }) {
  const { t } = useTranslation('lines');
  if (error.code === 'INSUFFICIENT_CREDITS') return t('add.adviceCredits');
  if (error.code === 'LINE_NOT_FOUND') return t('actions.goneAdvice');
  return error.status === 0 || error.status >= 500 ? t('actions.retryAdvice') : null;
}
