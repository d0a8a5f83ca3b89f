import { MAX_IMPORT_ROWS } from '@linekeeper/contract/bulk.ts';
import { FileSpreadsheet, Upload } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../../../shared/ui/banner.tsx';
import { Button, buttonLook } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { type Draft, dataRows } from './draft.ts';
import styles from './import.module.css';
import { MAX_FILE_BYTES, type ReadFile, readFile } from './read-file.ts';
import { templateAddress } from './template.ts';

interface FileCardProps {
  draft: Draft | undefined;
  onRead: (file: ReadFile) => void;
}

type Problem = 'unreadable' | 'tooLarge' | 'empty';

/** Chooses the file, or takes one that is dropped. It stays in the browser until it is checked. */
export function FileCard({ draft, onRead }: FileCardProps) {
  const { t } = useTranslation('bulk');
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<Problem>();
  const take = async (file: File | undefined) => {
    if (!file) return;
    const read = file.size > MAX_FILE_BYTES ? 'tooLarge' : await readFile(file).catch(() => null);
    if (read === null || read === 'tooLarge') return setProblem(read ?? 'unreadable');
    if (read.rows.length === 0) return setProblem('empty');
    setProblem(undefined);
    onRead(read);
  };
  const { isOver, ...dropping } = useDropping(take);
  return (
    <Card title={t('import.file')} action={<TemplateLink />}>
      <div className={styles.drop} data-over={isOver || undefined} {...dropping}>
        {draft ? <ChosenFile draft={draft} /> : <p>{t('import.drop')}</p>}
        <Button
          variant={draft ? 'outlined' : 'solid'}
          icon={<Upload aria-hidden="true" />}
          onClick={() => input.current?.click()}
        >
          {draft ? t('import.chooseAnother') : t('import.choose')}
        </Button>
        <input
          ref={input}
          hidden
          type="file"
          accept=".csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values"
          aria-label={t('import.choose')}
          onChange={({ target }) => {
            void take(target.files?.[0]);
            // The same file, corrected, can be chosen again.
            target.value = '';
          }}
        />
        <p className={styles.hint}>{t('import.limits', { maximum: MAX_IMPORT_ROWS })}</p>
      </div>
      {problem && <Banner isAlert tone="error" title={t(`import.problem.${problem}`)} />}
    </Card>
  );
}

function useDropping(take: (file: File | undefined) => void) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return {
    isOver,
    onDragEnter: over,
    onDragOver: over,
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer.files[0]);
    },
  };
}

const delimiterNames: Record<string, 'semicolon' | 'comma' | 'tab'> = {
  ';': 'semicolon',
  ',': 'comma',
  '\t': 'tab',
};

function ChosenFile({ draft }: { draft: Draft }) {
  const { t } = useTranslation('bulk');
  const delimiter = delimiterNames[draft.file.delimiter];
  return (
    <p className={styles.chosen}>
      <FileSpreadsheet size={20} aria-hidden="true" />
      <b>{draft.file.name}</b>
      <span>
        {t('import.rows', { count: dataRows(draft).length })}
        {delimiter && `, ${t(`import.delimiter.${delimiter}`)}`}
      </span>
    </p>
  );
}

function TemplateLink() {
  const { t } = useTranslation('bulk');
  return (
    <a
      {...buttonLook({ variant: 'text', size: 'small' })}
      href={templateAddress}
      download="lines-template.csv"
    >
      {t('import.template')}
    </a>
  );
}
