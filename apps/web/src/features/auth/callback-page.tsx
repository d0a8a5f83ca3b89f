import { confirmEmail } from '@linekeeper/contract/auth/auth.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError, call } from '../../shared/api/client.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { VisitorFrame } from '../../shared/layout/visitor/visitor-frame.tsx';
import { Outcome } from './outcome.tsx';

/** Target of the link in the confirmation mail. */
export function CallbackPage() {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const { token, error: refused } = useSearch({ from: '/callback' });
  // A query and not a mutation, so that the token is sent once however often the page renders.
  const confirming = useQuery({
    queryKey: ['confirm-email', token],
    queryFn: () => call(confirmEmail, { body: { token: token ?? '' } }),
    enabled: Boolean(token) && !refused,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });

  if (confirming.isFetching)
    return <VisitorFrame title={t('callback.confirming')}>{null}</VisitorFrame>;
  if (confirming.isSuccess) {
    return confirming.data.email_changed ? (
      <Outcome title={t('callback.changedTitle')} text={t('callback.changedText')} />
    ) : (
      <Outcome title={t('callback.confirmedTitle')} text={t('callback.confirmedText')} />
    );
  }
  const isUnanswered = confirming.error instanceof ApiError && confirming.error.status !== 422;
  const text = isUnanswered ? errorText(confirming.error) : t('callback.failedText');
  return <Outcome title={t('callback.failedTitle')} text={text} />;
}
