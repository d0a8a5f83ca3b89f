import { Banner } from '#kit/ui/states/banner.tsx';
import { RequestDetails } from '#kit/ui/states/request-details.tsx';
import { useErrorText } from '#platform/i18n/use-error-text.ts';

/** The error for which a check or an import was refused as a whole. */
export function Failed({ error }: { error: unknown }) {
  const errorText = useErrorText();
  if (!error) return null;
  return (
    <Banner isAlert tone="error" title={errorText(error)}>
      <RequestDetails error={error} />
    </Banner>
  );
}
