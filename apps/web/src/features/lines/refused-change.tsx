import { useTranslation } from 'react-i18next';
import { Banner } from '#kit/ui/states/banner.tsx';
import { RequestDetails } from '#kit/ui/states/request-details.tsx';
import { ApiError } from '#platform/api/client.ts';
import { useCodeText, useErrorText } from '#platform/i18n/use-error-text.ts';

interface RefusedChangeProps {
  error: unknown;
  /** Advice after a lost reply or server error; the default one promises that nothing is charged twice. */
  retryAdvice?: string;
}

export function RefusedChange({ error, retryAdvice }: RefusedChangeProps) {
  const errorText = useErrorText();
  return (
    <Banner tone="error" title={errorText(error)} isAlert>
      {error instanceof ApiError && <ChangeAdvice error={error} retryAdvice={retryAdvice} />}
      {error instanceof ApiError && error.status >= 500 && <RequestDetails error={error} />}
    </Banner>
  );
}

interface ChangeAdviceProps {
  error: ApiError;
  retryAdvice?: string | undefined;
}

export function ChangeAdvice({ error, retryAdvice }: ChangeAdviceProps) {
  const { t } = useTranslation('lines');
  if (error.code === 'INSUFFICIENT_CREDITS') return t('add.adviceCredits');
  if (error.code === 'LINE_NOT_FOUND') return t('actions.goneAdvice');
  if (error.status > 0 && error.status < 500) return null;
  return retryAdvice ?? t('actions.retryAdvice');
}

/** The warning, before the panel would refuse, that the credits do not suffice. */
export function NotEnough({
  quote: { cost, balance },
}: {
  quote: { cost: number; balance: number };
}) {
  const { t } = useTranslation('lines');
  const codeText = useCodeText();
  const title = codeText('INSUFFICIENT_CREDITS', { required: cost, available: balance });
  return (
    <Banner tone="error" title={title} isAlert>
      {t('add.adviceCredits')}
    </Banner>
  );
}
