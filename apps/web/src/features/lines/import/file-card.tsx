import { MAX_IMPORT_ROWS } from '@linekeeper/contract/lines/import-limits.ts';
import { FileSpreadsheet, Upload } from 'lucide-react';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, buttonLook } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useDelayed } from '#platform/browser/use-delayed.ts';
import { type Draft, rowCount } from './draft.ts';
import {
  type FileOutcome,
  type FileProblem,
  fileNames,
  MAX_COLUMNS,
  MAX_FILE_MB,
  type ReadFile,
  sizeProblem,
} from './read-file.ts';
import type { ReadRequest } from './read-file.worker.ts';

const templateRows = [
  'username;password;subscription_months;is_trial;server;name;phone;notes',
  'anna.nowak;tulip-harbor-41;12;;;Anna Nowak;+48 22 5550 0118;paid in cash',
  'test-0420;willow-canyon-7;;yes;;;;',
];

/** Address of a CSV template with a subscription and a trial as examples. */
const templateAddress = URL.createObjectURL(
  new Blob([`\ufeff${templateRows.join('\r\n')}\r\n`], { type: 'text/csv' }),
);

interface FileCardProps {
  draft: Draft | undefined;
  /** Called with the parsed file, or undefined if the chosen file cannot be used. */
  onRead: (file: ReadFile | undefined) => void;
}

/** The card that takes the file by choosing or dropping. Nothing is uploaded before the dry run. */
export function FileCard({ draft, onRead }: FileCardProps) {
  const { t } = useTranslation('bulk');
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<FileProblem>();
  const { reading, read, cancel } = useReadFile((outcome) => {
    setProblem('problem' in outcome ? outcome.problem : undefined);
    // This also clears the result of an earlier file if the new one cannot be used.
    onRead('file' in outcome ? outcome.file : undefined);
  });
  const take = (file: File | undefined) => {
    if (!file) return;
    setProblem(undefined);
    read(file);
  };
  const { isOver, ...dropping } = useDropping(take);
  return (
    <Card title={t('import.file')} action={<TemplateLink />}>
      <div className="grid grid-cols-1 gap-4">
        <div
          className="grid justify-items-center gap-3 py-6 px-4 border border-dashed border-input-border rounded-[12px] text-center data-over:border-primary data-over:bg-selected"
          data-over={isOver || undefined}
          {...dropping}
        >
          {draft ? <ChosenFile draft={draft} /> : <p>{t('import.drop')}</p>}
          <Button
            variant={draft ? 'outlined' : 'solid'}
            icon={<Upload />}
            onClick={() => input.current?.click()}
          >
            {draft ? t('import.chooseAnother') : t('import.choose')}
          </Button>
          <input
            ref={input}
            hidden
            type="file"
            accept=".csv,.txt,.tsv,.cfg,.user,text/csv,text/plain,text/tab-separated-values"
            aria-label={t('import.choose')}
            onChange={({ target }) => {
              take(target.files?.[0]);
              // The empty value allows choosing the same file again after it was corrected.
              target.value = '';
            }}
          />
          <p className="text-text-2 type-caption">
            {t('import.limits', {
              maximum: MAX_IMPORT_ROWS,
              columns: MAX_COLUMNS,
              size: MAX_FILE_MB,
            })}
          </p>
        </div>
        <Reading name={reading} onCancel={cancel} />
        {problem && <FileProblemBanner problem={problem} />}
        {draft && !reading && <Doubts file={draft.file} />}
      </div>
    </Card>
  );
}

/** The progress of reading, shown only if it takes long, with a button to cancel. */
function Reading({ name, onCancel }: { name: string | undefined; onCancel: () => void }) {
  const { t } = useTranslation('bulk');
  const isLong = useDelayed(name !== undefined);
  if (!isLong) return null;
  return (
    <div className="flex items-center flex-wrap justify-center gap-y-1 gap-x-2 min-w-0 wrap-anywhere">
      <p role="status">{t('import.reading', { name })}</p>
      <Button variant="text" onClick={onCancel}>
        {t('action.cancel')}
      </Button>
    </div>
  );
}

/** Warns about letters that may be wrong, although the file could be read. */
function Doubts({ file: { encoding, hasLostLetters } }: { file: ReadFile }) {
  const { t } = useTranslation('bulk');
  const isCodePage = encoding.startsWith('Windows');
  return (
    <>
      {isCodePage && <Banner tone="info" title={t('import.encoding', { encoding })} />}
      {hasLostLetters && <Banner tone="warning" title={t('import.lostLetters')} />}
    </>
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

function ChosenFile({ draft }: { draft: Draft }) {
  const { t } = useTranslation('bulk');
  const { file } = draft;
  return (
    <p className="flex items-center flex-wrap justify-center gap-y-1 gap-x-2 min-w-0 [&_svg]:text-icon">
      <FileSpreadsheet size={20} />
      <b className="type-strong min-w-0 wrap-anywhere">
        <TypedText>{draft.file.name}</TypedText>
      </b>
      <span className="text-text-2">
        {t('import.rows', { count: rowCount(draft) })}
        {file.format !== 'csv' && `, ${fileNames[file.format]}`}
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

function FileProblemBanner({ problem }: { problem: FileProblem }) {
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
      case 'otherForm':
        return t('import.problem.otherForm', { form: problem.form });
      case 'noLines':
        return t('import.problem.noLines', { format: fileNames[problem.format] });
      default:
        return t(`import.problem.${problem.kind}`);
    }
  };
}

/** Reads a file in a worker. Another file, `cancel` or leaving the page stops the current one. */
function useReadFile(onRead: (outcome: FileOutcome) => void) {
  const { i18n } = useTranslation();
  const worker = useRef<Worker>(undefined);
  const [reading, setReading] = useState<string>();
  const cancel = () => {
    worker.current?.terminate();
    setReading(undefined);
  };
  useEffect(() => () => worker.current?.terminate(), []);
  const read = (file: File) => {
    cancel();
    const problem = sizeProblem(file.size);
    if (problem) return onRead({ problem });
    const reader = new Worker(new URL('./read-file.worker.ts', import.meta.url), {
      type: 'module',
    });
    const end = (outcome: FileOutcome) => {
      cancel();
      onRead(outcome);
    };
    reader.addEventListener('message', ({ data }: MessageEvent<FileOutcome>) => end(data));
    // The worker could not be loaded or ran out of memory.
    reader.addEventListener('error', () => end({ problem: { kind: 'unreadable' } }));
    reader.postMessage({ file, language: i18n.language } satisfies ReadRequest);
    worker.current = reader;
    setReading(file.name);
  };
  return { reading, read, cancel };
}
