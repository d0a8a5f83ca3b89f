import { RefreshCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { ApiError } from '#platform/api/client.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { StatePanel } from './empty-panel.tsx';
import { RequestDetails } from './request-details.tsx';

interface FailedPanelProps {
  error: unknown;
  onRetry?: () => void;
  /** Another action, for errors that a retry cannot fix. */
  action?: ReactNode;
}

/** True for refusals and codes whose sentence already contains advice. */
function saysWhatToDo({ status, code }: ApiError): boolean {
  return (status >= 400 && status < 500) || code === 'NETWORK' || code === 'DATABASE_UNAVAILABLE';
}

/** The message instead of content that could not be loaded, with advice and a button to retry. */
export function FailedPanel({ error, onRetry, action }: FailedPanelProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const isComplete = error instanceof ApiError && saysWhatToDo(error);
  return (
    <StatePanel icon={<TriangleAlert />} title={errorText(error)} role="alert" tone="error">
      {!isComplete && <p>{t('error.tryAgain')}</p>}
      {onRetry && (
        <Button variant="solid" icon={<RefreshCw />} onClick={onRetry}>
          {t('action.retry')}
        </Button>
      )}
      {action}
      <RequestDetails error={error} />
    </StatePanel>
  );
}

/** The message in a separate card. */
export function FailedCard({ flush = false, ...panel }: FailedPanelProps & { flush?: boolean }) {
  return (
    <Card flush={flush}>
      <FailedPanel {...panel} />
    </Card>
  );
}
