import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/paths.ts';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { AddLineForm } from './add-line-form.tsx';
import type { CreatedLine } from './add-line-types.ts';
import { CredentialsCard } from './credentials-card.tsx';

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
