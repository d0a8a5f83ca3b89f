import type { FoundLine } from '@linekeeper/contract/files/found-line.ts';
import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { downloadCsv } from '../../../shared/browser/download-file.ts';
import { useToday } from '../../../shared/data/settings.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import type { Draft } from './draft.ts';
import { problemRowsCsv } from './problem-rows.ts';
import { useRowReason } from './use-row-reason.ts';

interface DownloadProblemsProps {
  draft: Draft;
  lines: readonly FoundLine[];
  job: Job;
}

/** The rows that are wrong, to be corrected in a spreadsheet. They leave the browser for nowhere. */
export function DownloadProblems({ draft, lines, job }: DownloadProblemsProps) {
  const { t } = useTranslation('bulk');
  const reasonOf = useRowReason();
  const today = useToday();
  const download = () => {
    const text = problemRowsCsv(draft, lines, job.items, {
      row: t('columns.row'),
      reason: t('columns.reason'),
      column: (number) => t('import.column', { number }),
      reasonOf,
    });
    downloadCsv(text, `import-problems-${today}.csv`);
  };
  return (
    <Button variant="text" size="small" icon={<Download aria-hidden="true" />} onClick={download}>
      {t('import.downloadProblems')}
    </Button>
  );
}
