import {
  attachmentTypes,
  fileEndings,
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENTS,
} from '@linekeeper/contract/tickets/attachments.ts';
import { Paperclip, Upload } from 'lucide-react';
import { type ChangeEvent, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#kit/ui/buttons/button.tsx';
import { PendingFileList } from './pending-file-list.tsx';
import type { PendingFiles } from './use-attachments.ts';

/** Files that the browser offers to choose. The server checks the content. */
const ACCEPTED = [
  ...attachmentTypes,
  ...fileEndings['text/plain'].map((ending) => `.${ending}`),
].join();

function useChooser({ add }: PendingFiles) {
  const input = useRef<HTMLInputElement>(null);
  const props = {
    ref: input,
    type: 'file',
    multiple: true,
    accept: ACCEPTED,
    hidden: true,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      add([...(target.files ?? [])]);
      // The empty value allows choosing the same file again.
      target.value = '';
    },
  } as const;
  return { props, open: () => input.current?.click() };
}

/** The button that opens the browser's choice of files. It is disabled once a reply has as many files as allowed. */
export function AttachButton({ pending }: { pending: PendingFiles }) {
  const { t } = useTranslation('tickets');
  const chooser = useChooser(pending);
  const isFull = pending.files.length >= MAX_ATTACHMENTS;
  return (
    <>
      <input {...chooser.props} />
      <Button
        icon={<Paperclip />}
        blocked={isFull ? t('attach.tooMany', { count: MAX_ATTACHMENTS }) : undefined}
        onClick={chooser.open}
      >
        {t('attach.button')}
      </Button>
    </>
  );
}

/** The place to drop files, with the allowed types, and the files below it. */
export function FileField({ pending }: { pending: PendingFiles }) {
  const { t } = useTranslation('tickets');
  const id = useId();
  const chooser = useChooser(pending);
  const maximum = MAX_ATTACHMENT_BYTES / 1024 / 1024;
  return (
    <fieldset aria-describedby={`${id}-hint`}>
      <legend className="mb-2">{t('attach.title')}</legend>
      <input {...chooser.props} />
      <div
        className="flex items-center justify-center gap-4 p-4 border border-dashed border-input-border rounded-control bg-canvas text-text-2 text-center data-over:border-primary data-over:bg-primary-soft data-over:text-text"
        data-over={pending.isDraggedOver || undefined}
      >
        <Upload size={20} />
        <div>
          <p>
            <span className="only-wide">{t('attach.dropHere')} </span>
            <button
              type="button"
              className="text-primary type-strong phone:min-h-11 phone:[&::first-letter]:uppercase"
              onClick={chooser.open}
            >
              {t('attach.choose')}
            </button>
          </p>
          <small id={`${id}-hint`} className="block text-inherit">
            {t('attach.hint', { maximum, count: MAX_ATTACHMENTS })}
          </small>
        </div>
      </div>
      <PendingFileList pending={pending} look="rows" />
    </fieldset>
  );
}
