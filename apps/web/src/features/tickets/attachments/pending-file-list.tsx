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
          className="grid gap-2 w-full [&_li]:min-w-0 [&_li]:max-w-full [&_li]:pt-2 [&_li]:pr-2 [&_li]:pb-2 [&_li]:pl-4 [&_li[data-failed]]:border-danger [&_li>svg]:text-icon [&_progress]:h-1 [&_progress]:mt-1 [fieldset>&]:mt-2 data-[look=chips]:flex data-[look=chips]:flex-wrap data-[look=chips]:[&_li]:gap-2 data-[look=chips]:[&_li]:pt-0 data-[look=chips]:[&_li]:pr-0 data-[look=chips]:[&_li]:pb-0 data-[look=chips]:[&_li]:pl-3 data-[look=chips]:[&_li[data-failed]]:py-1"
          data-look={look}
          aria-label={t('attach.title')}
        >
          {files.map((file) => (
            <PendingRow key={file.key} file={file} pending={pending} />
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

function PendingRow({ file, pending }: { file: PendingFile; pending: PendingFiles }) {
  const { t, i18n } = useTranslation('tickets');
  const errorText = useErrorText();
  const { error, attachment, progress } = file;
  const name = file.name;
  const percent = Math.floor(progress * 100);
  return (
    <li
      className="border border-divider-strong rounded-control bg-paper flex items-center gap-3"
      data-failed={error ? true : undefined}
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
          <progress max={100} value={percent} aria-label={t('attach.uploading', { name })} />
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
