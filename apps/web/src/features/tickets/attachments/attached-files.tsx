import { type Attachment, hasPreview } from '@linekeeper/contract/tickets/attachments.ts';
import { Download, Paperclip } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SheetDialog } from '#kit/overlays/dialogs/sheet-dialog.tsx';
import { buttonLook } from '#kit/ui/buttons/button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Caption, Row, Stack, Strong } from '#kit/ui/vocabulary.tsx';
import { isolate } from '#platform/i18n/isolate.ts';
import styles from './attachments.module.css';
import { formatSize } from './format-size.ts';

export function AttachedFiles({ files }: { files: readonly Attachment[] }) {
  const { t } = useTranslation('tickets');
  const [shown, setShown] = useState<Attachment | null>(null);
  if (files.length === 0) return null;
  return (
    <>
      <Row
        as="ul"
        align="end"
        gap={8}
        wrap
        className={styles.attached}
        aria-label={t('attach.title')}
      >
        {files.map((file) => (
          <Stack as="li" gap={4} wraps key={file.id}>
            {hasPreview(file) && <Preview file={file} onShow={() => setShown(file)} />}
            <FileLink file={file} />
          </Stack>
        ))}
      </Row>
      {shown && <ImageDialog file={shown} onClose={() => setShown(null)} />}
    </>
  );
}

function FileLink({ file: { name, url, size } }: { file: Attachment }) {
  const { t, i18n } = useTranslation('tickets');
  return (
    <a
      href={url}
      download={name}
      className={`row framed ${styles.file}`}
      title={t('attach.download', { name })}
    >
      <Paperclip size={16} />
      <Strong cut>
        <TypedText>{name}</TypedText>
      </Strong>
      <Caption rigid>{formatSize(size, i18n.language)}</Caption>
    </a>
  );
}

interface PreviewProps {
  file: Attachment;
  onShow: () => void;
}

/** The panel serves it as a download, which browsers still draw as an image, and as nothing else. */
function Preview({ file: { name, url, width, height }, onShow }: PreviewProps) {
  const { t } = useTranslation('tickets');
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return null;
  return (
    <button
      type="button"
      className={`framed ${styles.preview}`}
      aria-label={t('attach.show', { name })}
      onClick={onShow}
    >
      <img
        src={url}
        alt=""
        loading="lazy"
        decoding="async"
        width={width ?? undefined}
        height={height ?? undefined}
        onError={() => setFailed(true)}
      />
    </button>
  );
}

function ImageDialog({ file, onClose }: { file: Attachment; onClose: () => void }) {
  const { t } = useTranslation();
  const { name, url } = file;
  return (
    <SheetDialog
      title={isolate(name)}
      onClose={onClose}
      footer={
        <a href={url} download={name} {...buttonLook({ variant: 'solid' })}>
          <Download />
          {t('action.download')}
        </a>
      }
    >
      <img className={styles.image} src={url} alt={isolate(name)} />
    </SheetDialog>
  );
}
