import { MAX_ATTACHMENTS } from '@linekeeper/contract/tickets/attachments.ts';
import { CircleAlert, FileText, Image, RotateCw, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Caption, Row, Strong, Text } from '#kit/ui/vocabulary.tsx';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import styles from './attachments.module.css';
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
        <ul className={styles.pending} data-look={look} aria-label={t('attach.title')}>
          {files.map((file) => (
            <PendingRow key={file.key} file={file} pending={pending} />
          ))}
        </ul>
      )}
      <Row as="p" align="start" gap={4} caption className={styles.problem} role="status">
        {areTooMany && t('attach.tooMany', { count: MAX_ATTACHMENTS })}
      </Row>
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
    <Row as="li" gap={12} className="framed" data-failed={error ? true : undefined}>
      <FileIcon type={file.type} />
      <Text as="div" grow>
        <Row as="span" align="baseline" gap={8} justify="between" wraps>
          <Strong cut>
            <TypedText>{file.name}</TypedText>
          </Strong>
          <Caption rigid>
            {attachment || error ? formatSize(file.size, i18n.language) : `${percent} %`}
          </Caption>
        </Row>
        {!attachment && !error && (
          <progress max={100} value={percent} aria-label={t('attach.uploading', { name })} />
        )}
        {Boolean(error) && (
          <Row as="span" align="start" gap={4} caption className={styles.problem} role="alert">
            <CircleAlert size={14} />
            {errorText(error)}
          </Row>
        )}
      </Text>
      {file.canRetry && (
        <IconButton
          size="small"
          label={t('attach.retry', { name })}
          onClick={() => pending.retry(file)}
        >
          <RotateCw size={18} />
        </IconButton>
      )}
      <IconButton
        size="small"
        label={t('attach.remove', { name })}
        onClick={() => pending.remove(file)}
      >
        <X size={18} />
      </IconButton>
    </Row>
  );
}

function FileIcon({ type }: { type: string }) {
  const Icon = type.startsWith('image/') ? Image : FileText;
  return <Icon size={18} />;
}
