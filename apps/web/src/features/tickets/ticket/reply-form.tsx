import { createTicketReply, type Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { MessageSquareText, Send, StickyNote } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AttachButton } from '#features/tickets/attachments/file-input.tsx';
import { PendingFileList } from '#features/tickets/attachments/pending-file-list.tsx';
import { useAttachments } from '#features/tickets/attachments/use-attachments.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { MarkdownInput } from '#kit/forms/fields/markdown-input.tsx';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { useContractForm } from '#kit/forms/use-contract-form.ts';
import { useDraft, useStoredDraft } from '#kit/forms/use-draft.ts';
import { useSubmit } from '#kit/forms/use-submit.ts';
import { LazyMenuButton } from '#kit/overlays/lazy-menu-button.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { useControlKey } from '#platform/browser/control-key.ts';
import { useMe } from '#platform/data/session.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';

const empty = { content: '', is_note: false, attachment_ids: [] as string[] };

function isEmpty({ content = '', attachment_ids = [] }: Partial<typeof empty>) {
  return content === '' && attachment_ids.length === 0;
}

/** The box for a reply, or for administrators a note; typed text is kept until it is sent. */
export function ReplyForm({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation('tickets');
  const { is_admin } = useMe();
  const control = useControlKey();
  const stored = useStoredDraft(`reply:${ticket.id}`, empty);
  const form = useContractForm({ schema: createTicketReply.body, defaultValues: stored.start });
  const pending = useAttachments(stored.key);
  const draft = useDraft(stored.key, form, isEmpty);
  const ids = pending.ids.join();
  useEffect(() => {
    form.setValue('attachment_ids', ids ? ids.split(',') : []);
    if (form.getFieldState('content').invalid) void form.trigger('content');
  }, [form, ids]);
  const isNote = form.watch('is_note') === true;
  const submission = useSubmit({
    form,
    isGuarded: false,
    command: useCommand(createTicketReply, {
      params: { id: ticket.id },
      refreshes: ['tickets'],
      waits: true,
    }),
    once: draft.once,
    bodyOf: (values) => (pending.blocked ? undefined : { ...values, attachment_ids: pending.ids }),
    done: () => {
      pending.forget();
      form.reset(empty);
      draft.forget();
    },
  });
  const insert = (text: string) => {
    const typed = form.getValues('content')?.trimEnd();
    form.setValue('content', typed ? `${typed}\n\n${text}` : text, { shouldDirty: true });
    form.setFocus('content');
  };
  return (
    <div
      className="p-(--card-pad) border-t border-t-divider data-over:[outline:2px_dashed_var(--color-primary)] data-over:-outline-offset-6 data-note:[border-radius:0_0_var(--radius-card)_var(--radius-card)] data-note:bg-warning-bg"
      data-print="none"
      data-note={isNote || undefined}
      data-over={pending.isDraggedOver || undefined}
      {...pending.target}
    >
      <Form submission={submission} label={t('field.reply')}>
        <FormProblems form={form} />
        <MarkdownInput
          control={form.control}
          name="content"
          label={t(isNote ? 'note' : 'field.reply')}
          hint={ticket.status === 'closed' && !is_admin ? t('reply.closed') : undefined}
          rows={4}
          keepsLines
          onSend={() => void submission.submit()}
          below={<PendingFileList pending={pending} look="chips" />}
        />
        {is_admin && (
          <CheckboxField
            checked={isNote}
            onChange={(isChecked) => form.setValue('is_note', isChecked, { shouldDirty: true })}
          >
            {t('noteForm.toggle')}
          </CheckboxField>
        )}
        <div className="flex items-center flex-wrap gap-2 [[data-note]_&_small]:text-warning-fg">
          <Button
            type="submit"
            variant="solid"
            pending={submission.isPending}
            blocked={pending.blocked}
            icon={isNote ? <StickyNote /> : <Send />}
          >
            {t(isNote ? 'noteForm.save' : 'action.sendReply')}
          </Button>
          <AttachButton pending={pending} />
          {is_admin && <CannedReplies onChoose={insert} />}
          <small className="only-wide ms-auto">
            {t('reply.keys', { keys: `${control} Enter` })}
          </small>
        </div>
      </Form>
    </div>
  );
}

const CannedRepliesMenu = lazyPart(() => import('./canned-replies-menu.tsx'), 'CannedRepliesMenu');
const CannedRepliesDialog = lazyPart(
  () => import('./canned-replies-dialog.tsx'),
  'CannedRepliesDialog',
);

/** The menu of canned replies. It puts one into the reply, and saves new ones. */
function CannedReplies({ onChoose }: { onChoose: (text: string) => void }) {
  const { t } = useTranslation('tickets');
  const [isManaging, setManaging] = useState(false);
  return (
    <>
      <LazyMenuButton
        fetch={CannedRepliesMenu.fetch}
        button={(opener) => (
          <Button {...opener} icon={<MessageSquareText />}>
            {t('canned.open')}
          </Button>
        )}
        menu={(opened) => (
          <CannedRepliesMenu {...opened} onChoose={onChoose} onManage={() => setManaging(true)} />
        )}
      />
      {isManaging && <CannedRepliesDialog onClose={() => setManaging(false)} />}
    </>
  );
}
