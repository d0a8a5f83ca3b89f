import {
  createTicket,
  type TicketCategory,
  type TicketPriority,
  ticketCategories,
  ticketPriorities,
} from '@linekeeper/contract/tickets/tickets.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FileField } from '../../shared/attachments/file-input.tsx';
import { useAttachments } from '../../shared/attachments/use-attachments.ts';
import { useCommand } from '../../shared/commands/use-command.ts';
import { useDraft, useStoredDraft } from '../../shared/forms/drafts/use-draft.ts';
import { MarkdownInput } from '../../shared/forms/fields/markdown-input.tsx';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { FormActions, FormCard } from '../../shared/forms/form.tsx';
import { FormProblems } from '../../shared/forms/form-problems.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../shared/forms/use-submit.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { toast } from '../../shared/state/toast.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { Row } from '../../shared/ui/vocabulary.tsx';
import { HelpfulArticles } from './helpful-articles.tsx';
import { PillsInput } from './pills-input.tsx';
import { priorityLooks, ticketNumber } from './ticket-looks.ts';
import styles from './tickets.module.css';
import { WaitingNote } from './waiting-note.tsx';

const fields = createTicket.body.omit({ status: true });
const empty = {
  title: '',
  description: '',
  priority: 'medium' as TicketPriority,
  category: 'general' as TicketCategory,
  attachment_ids: [] as string[],
};

function isEmpty({ title = '', description = '' }: { title?: string; description?: string }) {
  return title === '' && description === '';
}

export function NewTicketPage() {
  return (
    <>
      <PageHeader />
      <NewTicketForm />
    </>
  );
}

function NewTicketForm() {
  const { t } = useTranslation('tickets');
  const navigate = useNavigate();
  const { title = '' } = useSearch({ from: '/shell/tickets/new' });
  const unwritten = { ...empty, title };
  const stored = useStoredDraft('ticket', unwritten);
  const form = useContractForm({
    schema: fields,
    defaultValues: { ...stored.start, title: stored.start.title || title },
  });
  const { control } = form;
  const pending = useAttachments(stored.key);
  const [isRestored, setRestored] = useState(stored.wasKept || pending.files.length > 0);
  const onSent = () => {
    form.reset(unwritten);
    pending.forget();
    setRestored(false);
  };
  const draft = useDraft(stored.key, form, { isEmpty, onSent });
  const submission = useSubmit({
    form,
    // The draft keeps what is typed, so leaving loses nothing.
    isGuarded: false,
    command: useCommand(createTicket, { refreshes: ['tickets'], waits: true }),
    once: draft.once,
    bodyOf: (values) => (pending.blocked ? undefined : { ...values, attachment_ids: pending.ids }),
    done: ({ ticket }) => {
      pending.forget();
      toast.success(t('form.created', { number: ticketNumber(ticket) }));
      return navigate({ to: '/tickets/$id', params: { id: ticket.id }, replace: true });
    },
  });
  const discard = () => {
    form.reset(unwritten);
    draft.forget();
    pending.discard();
    setRestored(false);
  };
  return (
    <div className={styles.beside} {...pending.target}>
      <FormCard submission={submission} label={t('new')}>
        {draft.isWaiting ? <WaitingNote draft={draft} /> : <FormProblems form={form} />}
        {isRestored && !draft.isWaiting && (
          <Row gap={8} justify="between" wrap role="status">
            <span>{t('form.draft')}</span>
            <Button variant="text" size="small" onClick={discard}>
              {t('form.discard')}
            </Button>
          </Row>
        )}
        <TextInput control={control} name="title" label={t('form.title')} autoFocus required />
        <MarkdownInput
          control={control}
          name="description"
          label={t('form.description')}
          hint={t('form.hint')}
          rows={8}
          hasTools
          keepsLines
          required
        />
        <PillsInput
          control={control}
          name="priority"
          label={t('columns.priority')}
          options={ticketPriorities.map((value) => {
            const { Icon } = priorityLooks[value];
            return { value, label: t(`priority.${value}`), Icon };
          })}
        />
        <PillsInput
          control={control}
          name="category"
          label={t('columns.category')}
          options={ticketCategories.map((value) => ({ value, label: t(`category.${value}`) }))}
        />
        <FileField pending={pending} />
        <FormActions>
          <SubmitButton pending={submission.isPending} blocked={pending.blocked}>
            {t('form.create')}
          </SubmitButton>
          <ButtonLink to="/tickets">{t('action.cancel')}</ButtonLink>
        </FormActions>
      </FormCard>
      <HelpfulArticles title={form.watch('title')} />
    </div>
  );
}
