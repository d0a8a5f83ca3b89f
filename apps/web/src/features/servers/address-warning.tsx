import { addressWarning } from '@linekeeper/contract/servers/customer-address.ts';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Row } from '../../shared/ui/vocabulary.tsx';

/** Why customers may not reach an address; it may be meant so, and is never refused. */
export function AddressWarningText({ host }: { host: string }) {
  const { t } = useTranslation('servers');
  const warning = addressWarning(host);
  if (!warning) return null;
  return (
    <Row wraps tone="warning" as="p" align="stretch" gap={8} caption>
      <TriangleAlert size={16} />
      <span>{t(`addressWarning.${warning}`, { host })}</span>
    </Row>
  );
}
