import { addressWarning } from '@linekeeper/contract/servers/customer-address.ts';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Row } from './vocabulary.tsx';

/** Why other machines may not reach a host; it may be meant so, and is never refused. */
export function AddressWarningText({ host }: { host: string }) {
  const { t } = useTranslation();
  const warning = addressWarning(host);
  if (!warning) return null;
  return (
    <Row wraps tone="warning" as="p" align="stretch" gap={8} caption>
      <TriangleAlert size={16} />
      <span>{t(`addressWarning.${warning}`, { host })}</span>
    </Row>
  );
}

/** The same of what is handed over: the panel's address, a link to it, or a command that begins with one. */
export function LinkWarningText({ text }: { text: string }) {
  const [address = ''] = /https?:\/\/[^\s'"]+/.exec(text) ?? [];
  return <AddressWarningText host={URL.parse(address)?.hostname ?? ''} />;
}
