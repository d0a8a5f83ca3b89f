import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnsavedGuard } from '../../../shared/forms/use-unsaved-guard.ts';
import { paths } from '../../../shared/paths.ts';
import { PageHeader } from '../../../shared/ui/page-header.tsx';
import { type Draft, draftOf } from './draft.ts';
import { DryRun } from './dry-run.tsx';
import { FileCard } from './file-card.tsx';
import styles from './import.module.css';
import { MappingCard } from './mapping-card.tsx';

/** A file of lines: what its columns mean, a dry run, then the job. */
export function ImportPage() {
  const { t } = useTranslation('bulk');
  const { t: lines } = useTranslation('lines');
  const [draft, setDraft] = useState<Draft>();
  const release = useUnsavedGuard(draft !== undefined);
  return (
    <>
      <PageHeader title={t('import.title')} back={{ to: paths.lines(), label: lines('title') }} />
      <div className={styles.page}>
        <FileCard draft={draft} onRead={(file) => setDraft(draftOf(file))} />
        {draft && (
          <>
            <MappingCard
              draft={draft}
              onMap={(mapping) => setDraft({ ...draft, mapping })}
              onHeadings={(hasHeadings) => setDraft(draftOf(draft.file, hasHeadings))}
            />
            <DryRun draft={draft} onOrdered={release} />
          </>
        )}
      </div>
    </>
  );
}
