import { customerAddress } from '@linekeeper/contract/servers/customer-address.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CustomerLine } from '#domain/lines/address-change.tsx';
import { serverLines } from '#features/servers/edit/server-form-schemas.ts';
import { AddressWarningText } from '#kit/ui/address-warning.tsx';
import { CopyButton } from '#kit/ui/buttons/copy-button.tsx';
import { Card } from '#kit/ui/card.tsx';

/** The card with the address that customers of the server enter into their receivers. */
export function CustomersCard({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const address = customerAddress(server);
  const lines = serverLines(server, address);
  return (
    <Card
      title={t('field.public_host')}
      action={
        <Link
          to="/cccam-servers/$id/edit"
          params={{ id: server.id }}
          className="text-primary font-semibold"
        >
          {t('action.edit')}
        </Link>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <div className="flex items-start justify-between gap-2 pt-3 pr-2 pb-3 pl-4 rounded-[12px] bg-head type-[500_13px/22px_var(--mono)] wrap-anywhere">
          <div className="grid grid-cols-1">
            {lines.map((line) => (
              <p key={line}>
                <CustomerLine line={line} />
              </p>
            ))}
          </div>
          <CopyButton value={lines.join('\n')} label={t('share.copy')} size="small" />
        </div>
        <AddressWarningText host={address.host} />
      </div>
    </Card>
  );
}
