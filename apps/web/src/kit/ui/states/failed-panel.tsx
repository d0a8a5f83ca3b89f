import { RefreshCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ApiError } from '#platform/api/client.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
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

/** Shown instead of content that could not be loaded, with advice and Retry. */
export function FailedPanel({ error, onRetry, action }: FailedPanelProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const isComplete = error instanceof ApiError && saysWhatToDo(error);
  return (
    <div
      className="flex flex-col items-center justify-center min-h-83 py-12 px-6 text-center [&_h2]:mt-4 [&_h2]:mx-0 [&_h2]:mb-1 [&_p]:max-w-[min(360px,100%)] [&_p]:wrap-anywhere [&_p]:text-text-2 [&>p]:mb-6 [&>h2:has(+:not(p))]:mb-6 [&>details]:mt-4 [&>details]:text-text-2 phone:py-10 phone:px-4 phone:[&>:is(button,a)]:min-w-40"
      role="alert"
    >
      <span
        className="text-icon-quiet [&_svg]:w-16 [&_svg]:h-16 [&_svg]:[stroke-width:1.1] data-[tone=error]:text-danger"
        data-tone="error"
        aria-hidden="true"
      >
        <TriangleAlert />
      </span>
      <h2>{errorText(error)}</h2>
      {!isComplete && <p>{t('error.tryAgain')}</p>}
      {onRetry && (
        <Button variant="solid" icon={<RefreshCw />} onClick={onRetry}>
          {t('action.retry')}
        </Button>
      )}
      {action}
      <RequestDetails error={error} />
    </div>
  );
}
