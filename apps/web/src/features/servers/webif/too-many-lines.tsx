import { WEBIF_LINES } from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import { Banner } from '#kit/ui/states/banner.tsx';

/** A warning about more lines than OSCam's web interface can handle without becoming slow. */
export function TooManyLines({ count }: { count: number }) {
  const { t } = useTranslation('servers');
  if (count <= WEBIF_LINES) return null;
  return (
    <div className="mb-4">
      <Banner tone="warning" title={t('kind.tooMany.title', { count })}>
        <p>{t('kind.tooMany.text', { most: WEBIF_LINES })}</p>
      </Banner>
    </div>
  );
}
