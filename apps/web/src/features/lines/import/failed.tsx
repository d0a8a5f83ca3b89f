import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { RequestDetails } from '../../../shared/ui/states/request-details.tsx';

/** Why the check or the import was refused as a whole. */
export function Failed({ error }: { error: unknown }) {
  const errorText = useErrorText();
  if (!error) return null;
  return (
    <Banner isAlert tone="error" title={errorText(error)}>
      <RequestDetails error={error} />
    </Banner>
  );
}
