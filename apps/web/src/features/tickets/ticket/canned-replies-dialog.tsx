import {
  type CannedReply,
  createCannedReply,
  deleteCannedReply,
  editCannedReply,
} from '@linekeeper/contract/tickets/canned-replies.ts';
import { useQuery } from '@tanstack/react-query';
import { MessageSquareText, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cannedRepliesQuery } from '#features/tickets/queries.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { MarkdownInput } from '#kit/forms/fields/markdown-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { ScrollArea, SheetDialog } from '#kit/overlays/dialogs/sheet-dialog.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';

export function CannedRepliesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('tickets');
  const { data: replies = [] } = useQuery(cannedRepliesQuery());
  const [edited, setEdited] = useState<CannedReply | 'new' | null>(null);
  if (edited) {
    return (
      <CannedReplyForm reply={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
    );
  }
  return (
    <SheetDialog
      title={t('canned.open')}
      onClose={onClose}
      footer={
        <Button variant="solid" icon={<Plus aria-hidden="true" />} onClick={() => setEdited('new')}>
          {t('canned.add')}
        </Button>
      }
    >
      <ScrollArea label={t('canned.open')}>
        {replies.length === 0 && (
          <EmptyPanel icon={<MessageSquareText />} title={t('canned.none')} />
        )}
        <ul className="grid grid-cols-1 gap-2">
          {replies.map((reply) => (
            <CannedRow key={reply.id} reply={reply} onEdit={() => setEdited(reply)} />
          ))}
        </ul>
      </ScrollArea>
    </SheetDialog>
  );
}

function CannedRow({ reply, onEdit }: { reply: CannedReply; onEdit: () => void }) {
  const { t } = useTranslation('tickets');
  const { id, content } = reply;
  const title = reply.title;
  const deletion = useCommand(deleteCannedReply, {
    params: { id },
    refreshes: ['canned-replies'],
    waits: true,
    doneText: () => t('deleted', { name: title }),
  });
  return (
    <li className="flex items-center gap-2 min-w-0 wrap-anywhere">
      <div className="flex-1 min-w-0">
        <b>
          <TypedText>{reply.title}</TypedText>
        </b>
        <p className="text-text-2 truncate">
          <TypedText>{content}</TypedText>
        </p>
      </div>
      <IconButton size="small" label={t('editOf', { name: title })} onClick={onEdit}>
        <Pencil size={18} aria-hidden="true" />
      </IconButton>
      <IconButton
        size="small"
        label={t('deleteOf', { name: title })}
        disabled={deletion.isPending}
        onClick={() => void deletion.send()}
      >
        <Trash2 size={18} aria-hidden="true" />
      </IconButton>
    </li>
  );
}

function CannedReplyForm({ reply, onClose }: { reply: CannedReply | null; onClose: () => void }) {
  const { t } = useTranslation('tickets');
  const { field, submission } = useCommandForm(reply ? editCannedReply : createCannedReply, {
    schema: createCannedReply.body,
    params: { id: reply?.id ?? '' },
    refreshes: ['canned-replies'],
    waits: true,
    defaultValues: { title: reply?.title ?? '', content: reply?.content ?? '' },
    onClose,
    doneText: ({ canned_reply }) => t('saved', { name: canned_reply.title }),
    fieldOfCode: { CANNED_REPLY_EXISTS: 'title' },
  });
  return (
    <FormDialog
      submission={submission}
      title={reply ? t('editOf', { name: reply.title }) : t('canned.add')}
      submitLabel={t('canned.save')}
      onClose={onClose}
    >
      <TextInput {...field('title')} label={t('field.title')} autoFocus required />
      <MarkdownInput {...field('content')} label={t('field.content')} keepsLines required />
    </FormDialog>
  );
}
