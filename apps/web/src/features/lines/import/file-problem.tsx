import { MAX_IMPORT_ROWS } from '@linekeeper/contract/lines/import-limits.ts';
import { useTranslation } from 'react-i18next';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { type FileProblem, fileNames, MAX_COLUMNS, MAX_FILE_MB } from './read-file.ts';

/** Explains which limit or format keeps the chosen file from being imported. */
export function FileProblemBanner({ problem }: { problem: FileProblem }) {
  const text = useProblemText();
  return <Banner isAlert tone="error" title={text(problem)} />;
}

function useProblemText() {
  const { t } = useTranslation('bulk');
  return (problem: FileProblem): string => {
    switch (problem.kind) {
      case 'tooLarge':
        return t('import.problem.tooLarge', { size: problem.megabytes, maximum: MAX_FILE_MB });
      case 'tooManyRows':
        return t('import.tooMany', { count: problem.rows, maximum: MAX_IMPORT_ROWS });
      case 'tooManyColumns':
        return t('import.problem.tooManyColumns', {
          count: problem.columns,
          maximum: MAX_COLUMNS,
        });
      case 'quotes':
        return t('import.problem.quotes', { line: problem.line });
      case 'noLines':
        return t('import.problem.noLines', { format: fileNames[problem.format] });
      default:
        return t(`import.problem.${problem.kind}`);
    }
  };
}
