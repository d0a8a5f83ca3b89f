import { addressWarning } from '@linekeeper/contract/servers/customer-address.ts';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Row } from '../../shared/ui/vocabulary.tsx';
import styles from './servers.module.css';

/** Why customers may not reach an address; it may be meant so, and is never refused. */
export function AddressWarningText({ host }: { host: string }) {
  const { t } = useTranslation('servers');
  const warning = addressWarning(host);
  if (!warning) return null;
  return (
    <Row as="p" align="stretch" gap={8} caption className={styles.addressWarning}>
      <TriangleAlert size={16} aria-hidden="true" />
      <span>{t(`addressWarning.${warning}`, { host })}</span>
    </Row>
  );
}
