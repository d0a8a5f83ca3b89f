import { addressWarning } from '@linekeeper/contract/servers/customer-address.ts';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';

/**
 * A warning that other machines may not reach a host, such as a private address. It never prevents saving, because such
 * an address can be intended.
 */
export function AddressWarningText({ host }: { host: string }) {
  const { t } = useTranslation();
  const warning = addressWarning(host);
  if (!warning) return null;
  return (
    <p className="flex items-stretch gap-2 text-warning-fg type-caption min-w-0 wrap-anywhere">
      <TriangleAlert size={16} />
      <span>{t(`addressWarning.${warning}`, { host })}</span>
    </p>
  );
}

/**
 * A warning that other machines may not reach the address in a text that will be shared, such as a link or a command.
 */
export function LinkWarningText({ text }: { text: string }) {
  const [address = ''] = /https?:\/\/[^\s'"]+/.exec(text) ?? [];
  return <AddressWarningText host={URL.parse(address)?.hostname ?? ''} />;
}
