import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serverChoicesQuery, takesLines } from '../../../shared/data/server-choices.ts';
import { PageHeader } from '../../../shared/layout/page-header.tsx';
import { useDrawnInSlices } from '../../../shared/start/later.tsx';
import { useSingleKey } from '../../../shared/ui/use-single-key.ts';
import { AddLineForm } from './add-line-form.tsx';
import type { CreatedLine } from './add-line-types.ts';
import { CredentialsCard } from './credentials-card.tsx';
import { useLastSale } from './last-sale.ts';

export function AddLinePage() {
  const [created, setCreated] = useState<CreatedLine>();
  const { data: servers = [], isPending } = useQuery(serverChoicesQuery());
  const { lastSale } = useLastSale();
  const isDrawn = useDrawnInSlices(isPending ? undefined : true);
  const active = servers.filter(takesLines);
  const server = active.find(({ id }) => id === lastSale?.server_id) ?? active[0];
  const beginAnother = () => setCreated(undefined);
  // The shortcut that opens this page also starts the next line after a sale.
  useSingleKey('n', beginAnother);
  return (
    <>
      <PageHeader />
      {created ? (
        <CredentialsCard created={created} onCreateAnother={beginAnother} />
      ) : (
        // Waits for the server list so that the form can preselect the newest; if the request
        // fails, the panel chooses the server.
        isDrawn && <AddLineForm serverId={server?.id} onCreated={setCreated} />
      )}
    </>
  );
}
