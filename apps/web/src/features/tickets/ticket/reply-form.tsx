import { createTicketReply, type Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { Send, StickyNote } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { AttachButton } from '../../../shared/attachments/file-input.tsx';
import { PendingFileList } from '../../../shared/attachments/pending-file-list.tsx';
import { useAttachments } from '../../../shared/attachments/use-attachments.ts';
import { useControlKey } from '../../../shared/browser/control-key.ts';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { useMe } from '../../../shared/data/session.ts';
import { useDraft, useStoredDraft } from '../../../shared/forms/drafts/use-draft.ts';
import { MarkdownInput } from '../../../shared/forms/fields/markdown-input.tsx';
import { Form } from '../../../shared/forms/form.tsx';
import { FormProblems } from '../../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../../shared/forms/use-submit.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { CheckboxField } from '../../../shared/ui/controls/checkbox-field.tsx';
import { Row } from '../../../shared/ui/vocabulary.tsx';
import { WaitingNote } from '../waiting-note.tsx';
import { CannedReplies } from './canned-replies.tsx';
import styles from './ticket.module.css';

const empty = { content: '', is_note: false, attachment_ids: [] as string[] };

function isEmpty({ content = '', attachment_ids = [] }: Partial<typeof empty>) {
  return content === '' && attachment_ids.length === 0;
}

/** The box for a reply, or for administrators a note; what is typed is kept until it is sent. */
export function ReplyForm({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation('tickets');
  const { is_admin } = useMe();
  const control = useControlKey();
  const stored = useStoredDraft(`reply:${ticket.id}`, empty);
  const form = useContractForm({ schema: createTicketReply.body, defaultValues: stored.start });
  const pending = useAttachments(stored.key);
  const onSent = () => {
    pending.forget();
    form.reset(empty);
  };
  const draft = useDraft(stored.key, form, { isEmpty, onSent });
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
      onSent();
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
      className={styles.reply}
      data-print="none"
      data-note={isNote || undefined}
      data-over={pending.isDraggedOver || undefined}
      {...pending.target}
    >
      <Form submission={submission} label={t('reply.label')}>
        {draft.isWaiting ? <WaitingNote draft={draft} /> : <FormProblems form={form} />}
        <MarkdownInput
          control={form.control}
          name="content"
          label={t(isNote ? 'note' : 'reply.label')}
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
        <Row gap={8} wrap className={styles.send}>
          <Button
            type="submit"
            variant="solid"
            pending={submission.isPending}
            blocked={pending.blocked}
            icon={isNote ? <StickyNote aria-hidden="true" /> : <Send aria-hidden="true" />}
          >
            {t(isNote ? 'noteForm.save' : 'reply.send')}
          </Button>
          <AttachButton pending={pending} />
          {is_admin && <CannedReplies onChoose={insert} />}
          <small className="only-wide">{t('reply.keys', { keys: `${control} Enter` })}</small>
        </Row>
      </Form>
    </div>
  );
}
