import { addressWarning } from '@linekeeper/contract/servers/customer-address.ts';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isolate } from '../../shared/i18n/isolate.ts';
import styles from './servers.module.css';

/** Why customers may not reach an address; it may be meant so, and is never refused. */
export function AddressWarningText({ host }: { host: string }) {
  const { t } = useTranslation('servers');
  const warning = addressWarning(host);
  if (!warning) return null;
  return (
    <p className={styles.addressWarning}>
      <TriangleAlert size={16} aria-hidden="true" />
      <span>{t(`addressWarning.${warning}`, { host: isolate(host) })}</span>
    </p>
  );
}
