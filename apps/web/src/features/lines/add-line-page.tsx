import type { ChangedLine } from '@linekeeper/contract/lines.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/paths.ts';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { AddLineForm } from './add-line-form.tsx';
import { CredentialsCard } from './credentials-card.tsx';

/** The panel never sends a password back: the one just typed is shown once. */
export interface CreatedLine extends ChangedLine {
  password: string;
}

export function AddLinePage() {
  const { t } = useTranslation('lines');
  const [created, setCreated] = useState<CreatedLine>();
  return (
    <>
      <PageHeader title={t('addLine')} back={{ to: paths.lines(), label: t('title') }} />
      {created ? (
        <CredentialsCard created={created} onCreateAnother={() => setCreated(undefined)} />
      ) : (
        <AddLineForm onCreated={setCreated} />
      )}
    </>
  );
}
