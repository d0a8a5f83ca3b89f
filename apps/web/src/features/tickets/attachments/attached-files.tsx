import { type Attachment, hasPreview } from '@linekeeper/contract/tickets/attachments.ts';
import { Download, Paperclip } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SheetDialog } from '#kit/overlays/dialogs/sheet-dialog.tsx';
import { buttonLook } from '#kit/ui/buttons/button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { isolate } from '#platform/i18n/isolate.ts';
import { formatSize } from './format-size.ts';

export function AttachedFiles({ files }: { files: readonly Attachment[] }) {
  const { t } = useTranslation('tickets');
  const [shown, setShown] = useState<Attachment | null>(null);
  if (files.length === 0) return null;
  return (
    <>
      <ul
        className="flex flex-wrap items-end gap-2 mt-2 first:mt-0 [&_li]:grid-cols-[minmax(0,auto)] [&_li]:justify-items-start [&_li]:max-w-full"
        aria-label={t('attach.title')}
      >
        {files.map((file) => (
          <li className="grid grid-cols-1 gap-1 min-w-0 wrap-anywhere" key={file.id}>
            {hasPreview(file) && <Preview file={file} onShow={() => setShown(file)} />}
            <FileLink file={file} />
          </li>
        ))}
      </ul>
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
      className="flex items-center border border-divider-strong rounded-control bg-paper gap-2 min-w-0 max-w-full min-h-9 py-0 px-3 text-text phone:min-h-11"
      title={t('attach.download', { name })}
    >
      <Paperclip size={16} />
      <b className="type-strong truncate">
        <TypedText>{name}</TypedText>
      </b>
      <span className="flex-none text-text-2 type-caption">{formatSize(size, i18n.language)}</span>
    </a>
  );
}

interface PreviewProps {
  file: Attachment;
  onShow: () => void;
}

/** A picture of the file. The panel serves it as a download, which browsers draw as an image, but not as a page. */
function Preview({ file: { name, url, width, height }, onShow }: PreviewProps) {
  const { t } = useTranslation('tickets');
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return null;
  return (
    <button
      type="button"
      className="border border-divider-strong rounded-control bg-paper block overflow-hidden max-w-full [&_img]:block [&_img]:w-auto [&_img]:min-w-11 [&_img]:max-w-full [&_img]:h-auto [&_img]:min-h-11 [&_img]:max-h-40 [&_img]:[object-fit:contain]"
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
      <img
        className="block max-w-full h-auto max-h-[70vh] m-auto [object-fit:contain]"
        src={url}
        alt={isolate(name)}
      />
    </SheetDialog>
  );
}
