import { MAX_ATTACHMENTS } from '@linekeeper/contract/tickets/attachments.ts';
import { CircleAlert, FileText, Image, RotateCw, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { formatSize } from './format-size.ts';
import type { PendingFile, PendingFiles } from './use-attachments.ts';

interface PendingFileListProps {
  pending: PendingFiles;
  look: 'rows' | 'chips';
}

export function PendingFileList({ pending, look }: PendingFileListProps) {
  const { t } = useTranslation('tickets');
  const { files, areTooMany } = pending;
  return (
    <>
      {files.length > 0 && (
        <ul
          className={`gap-2 w-full [fieldset>&]:mt-2 ${look === 'chips' ? 'flex flex-wrap' : 'grid'}`}
          aria-label={t('attach.title')}
        >
          {files.map((file) => (
            <PendingRow key={file.key} file={file} pending={pending} look={look} />
          ))}
        </ul>
      )}
      <p
        className="flex items-start gap-1 type-caption text-danger wrap-anywhere empty:hidden [&_svg]:mt-0.5"
        role="status"
      >
        {areTooMany && t('attach.tooMany', { count: MAX_ATTACHMENTS })}
      </p>
    </>
  );
}

const FAILED = { rows: 'border-danger', chips: 'border-danger py-1' };
const looks = {
  rows: 'gap-3 py-2 pr-2 pl-4',
  chips: 'gap-2 pl-3',
};

interface PendingRowProps extends PendingFileListProps {
  file: PendingFile;
}

function PendingRow({ file, pending, look }: PendingRowProps) {
  const { t, i18n } = useTranslation('tickets');
  const errorText = useErrorText();
  const { error, attachment, progress } = file;
  const name = file.name;
  const percent = Math.floor(progress * 100);
  return (
    <li
      className={`flex items-center min-w-0 max-w-full border rounded-control bg-paper [&>svg]:text-icon ${looks[look]} ${error ? FAILED[look] : 'border-divider-strong'}`}
    >
      <FileIcon type={file.type} />
      <div className="flex-1 min-w-0">
        <span className="flex items-baseline justify-between gap-2 min-w-0 wrap-anywhere">
          <b className="type-strong truncate">
            <TypedText>{file.name}</TypedText>
          </b>
          <span className="flex-none text-text-2 type-caption">
            {attachment || error ? formatSize(file.size, i18n.language) : `${percent} %`}
          </span>
        </span>
        {!attachment && !error && (
          <progress
            className="h-1 mt-1"
            max={100}
            value={percent}
            aria-label={t('attach.uploading', { name })}
          />
        )}
        {Boolean(error) && (
          <span
            className="flex items-start gap-1 type-caption text-danger wrap-anywhere empty:hidden [&_svg]:mt-0.5"
            role="alert"
          >
            <CircleAlert size={14} />
            {errorText(error)}
          </span>
        )}
      </div>
      {file.canRetry && (
        <IconButton
          size="small"
          label={t('attach.retry', { name })}
          onClick={() => pending.retry(file)}
        >
          <RotateCw size={18} />
        </IconButton>
      )}
      <IconButton size="small" label={t('removeOf', { name })} onClick={() => pending.remove(file)}>
        <X size={18} />
      </IconButton>
    </li>
  );
}

function FileIcon({ type }: { type: string }) {
  const Icon = type.startsWith('image/') ? Image : FileText;
  return <Icon size={18} />;
}
