import { useMemo, useState } from 'react';
import { useUnsavedGuard } from '../../../shared/forms/use-unsaved-guard.ts';
import { PageHeader } from '../../../shared/layout/page-header.tsx';
import { Stack } from '../../../shared/ui/vocabulary.tsx';
import { type Draft, draftOf, linesOf, withHeadings } from './draft.ts';
import { DryRun } from './dry-run.tsx';
import { FileCard } from './file-card.tsx';
import { FoundCard } from './found-card.tsx';
import styles from './import.module.css';
import { MappingCard } from './mapping-card.tsx';
import { useFileClock } from './use-file-clock.ts';

/** Imports lines from a file: column mapping, dry run, then the job. */
export function ImportPage() {
  const [draft, setDraft] = useState<Draft>();
  const release = useUnsavedGuard(draft !== undefined);
  const clock = useFileClock();
  const lines = useMemo(() => draft && linesOf(draft, clock), [draft, clock]);
  return (
    <>
      <PageHeader />
      <Stack gap={24} phoneGap={16} className={styles.page}>
        <FileCard draft={draft} onRead={(file) => setDraft(file && draftOf(file))} />
        {draft?.file.format === 'csv' && (
          <MappingCard
            file={draft.file}
            mapping={draft.mapping}
            onMap={(mapping) => setDraft({ ...draft, mapping })}
            onHeadings={(hasHeadings) => setDraft(withHeadings(draft, hasHeadings))}
          />
        )}
        {draft && lines && (
          <>
            <FoundCard draft={draft} lines={lines} onChange={setDraft} />
            <DryRun draft={draft} lines={lines} onOrdered={release} />
          </>
        )}
      </Stack>
    </>
  );
}
