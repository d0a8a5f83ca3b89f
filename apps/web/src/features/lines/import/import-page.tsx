import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnsavedGuard } from '../../../shared/forms/use-unsaved-guard.ts';
import { paths } from '../../../shared/paths.ts';
import { PageHeader } from '../../../shared/ui/page-header.tsx';
import { DryRun } from './dry-run.tsx';
import { FileCard } from './file-card.tsx';
import styles from './import.module.css';
import { guessMapping, type Mapping } from './import-fields.ts';
import { MappingCard } from './mapping-card.tsx';
import type { FileRow, ReadFile } from './read-file.ts';

/** What is to be imported: a file, whether its first row is names, and what its columns mean. */
export interface Draft {
  file: ReadFile;
  hasHeadings: boolean;
  mapping: Mapping;
}

export function dataRows({ file, hasHeadings }: Draft): FileRow[] {
  return hasHeadings ? file.rows.slice(1) : file.rows;
}

function draftOf(file: ReadFile, hasHeadings = file.hasHeadings): Draft {
  const width = Math.max(0, ...file.rows.map(({ cells }) => cells.length));
  const headings = hasHeadings ? (file.rows[0]?.cells ?? []) : [];
  const all = Array.from({ length: width }, (_, column) => headings[column] ?? '');
  return { file, hasHeadings, mapping: guessMapping(all) };
}

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
