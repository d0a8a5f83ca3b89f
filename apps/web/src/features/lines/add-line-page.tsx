import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/paths.ts';
import { serverChoicesQuery } from '../../shared/server-choices.ts';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { AddLineForm } from './add-line-form.tsx';
import type { CreatedLine } from './add-line-types.ts';
import { CredentialsCard } from './credentials-card.tsx';

export function AddLinePage() {
  const { t } = useTranslation('lines');
  const [created, setCreated] = useState<CreatedLine>();
  const { data: servers = [], isPending } = useQuery(serverChoicesQuery());
  const newestId = servers.find(({ status }) => status === 'active')?.id;
  return (
    <>
      <PageHeader title={t('addLine')} back={{ to: paths.lines(), label: t('title') }} />
      {created ? (
        <CredentialsCard created={created} onCreateAnother={() => setCreated(undefined)} />
      ) : (
        // The form begins with the server that is newest now; without an answer the panel chooses.
        !isPending && <AddLineForm newestServerId={newestId} onCreated={setCreated} />
      )}
    </>
  );
}
