import { customerAddress } from '@linekeeper/contract/servers/customer-address.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CustomerLine } from '#domain/lines/address-change.tsx';
import { serverLines } from '#features/servers/edit/server-form-schemas.ts';
import { AddressWarningText } from '#kit/ui/address-warning.tsx';
import { CopyButton } from '#kit/ui/buttons/copy-button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Caption, Row, Stack } from '#kit/ui/vocabulary.tsx';
import styles from './server.module.css';

/** The address that customers of the server enter into their receivers. */
export function CustomersCard({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const address = customerAddress(server);
  const lines = serverLines(server, address);
  return (
    <Card
      title={t('page.address.title')}
      action={
        <Link to="/cccam-servers/$id/edit" params={{ id: server.id }} className={styles.change}>
          {t('page.address.change')}
        </Link>
      }
    >
      <Stack gap={12}>
        <Row gap={8} justify="between" align="start" className={styles.address}>
          <Stack>
            {lines.map((line) => (
              <p key={line}>
                <CustomerLine line={line} />
              </p>
            ))}
          </Stack>
          <CopyButton value={lines.join('\n')} label={t('page.address.copy')} size="small" />
        </Row>
        <AddressWarningText host={address.host} />
        <Caption as="p">{t('page.address.hint')}</Caption>
      </Stack>
    </Card>
  );
}
