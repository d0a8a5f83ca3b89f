import { useState } from 'react';
import { useUnsavedGuard } from '../../../shared/forms/use-unsaved-guard.ts';
import { PageHeader } from '../../../shared/ui/page-header.tsx';
import { type Draft, draftOf } from './draft.ts';
import { DryRun } from './dry-run.tsx';
import { FileCard } from './file-card.tsx';
import styles from './import.module.css';
import { MappingCard } from './mapping-card.tsx';

/** Imports lines from a file: column mapping, dry run, then the job. */
export function ImportPage() {
  const [draft, setDraft] = useState<Draft>();
  const release = useUnsavedGuard(draft !== undefined);
  return (
    <>
      <PageHeader />
      <div className={styles.page}>
        <FileCard draft={draft} onRead={(file) => setDraft(file && draftOf(file))} />
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
