import { listArticles } from '@linekeeper/contract/articles.ts';
import type { Language } from '@linekeeper/contract/languages.ts';
import { type Line, listLines } from '@linekeeper/contract/lines/lines.ts';
import { ticketCategories, ticketPriorities } from '@linekeeper/contract/lists/lists.ts';
import {
  createTicket,
  type TicketCategory,
  type TicketPriority,
} from '@linekeeper/contract/tickets/tickets.ts';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { lineQuery } from '#domain/lines/queries.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { MarkdownInput } from '#kit/forms/fields/markdown-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { type FieldProps, useField } from '#kit/forms/fields/use-field.ts';
import { FormActions, FormCard } from '#kit/forms/form.tsx';
import { type Found, OFFERED, SearchPicker } from '#kit/forms/pickers/search-picker.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useContractForm } from '#kit/forms/use-contract-form.ts';
import { useDraft, useStoredDraft } from '#kit/forms/use-draft.ts';
import { useSubmit } from '#kit/forms/use-submit.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { PillChoice } from '#kit/ui/controls/pills.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { call } from '#platform/api/client.ts';
import { useDebounced } from '#platform/browser/use-delayed.ts';
import { useCan } from '#platform/data/session.ts';
import { results } from '#platform/state/results.ts';
import { FileField } from './attachments/file-input.tsx';
import { useAttachments } from './attachments/use-attachments.ts';
import { priorityLooks, ticketNumber } from './ticket-looks.ts';

const fields = createTicket.body.omit({ status: true });
const empty = {
  title: '',
  description: '',
  priority: 'medium' as TicketPriority,
  category: 'general' as TicketCategory,
  line_id: undefined as string | undefined,
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
  const { title = '', about } = useSearch({ from: '/shell/tickets/new' });
  const unwritten = { ...empty, title, line_id: about };
  const stored = useStoredDraft('ticket', unwritten);
  const form = useContractForm({
    schema: fields,
    defaultValues: {
      ...stored.start,
      title: stored.start.title || title,
      line_id: about ?? stored.start.line_id,
    },
  });
  const { control } = form;
  const seesLines = useCan(['view_users']);
  const line = useKnownLine(form.watch('line_id'), seesLines);
  const pending = useAttachments(stored.key);
  const [isRestored, setRestored] = useState(stored.wasKept || pending.files.length > 0);
  const draft = useDraft(stored.key, form, isEmpty);
  const submission = useSubmit({
    form,
    // The draft keeps typed values, so nothing is lost when the page is left.
    isGuarded: false,
    command: useCommand(createTicket, { refreshes: ['tickets'], waits: true }),
    once: draft.once,
    bodyOf: (values) => (pending.blocked ? undefined : { ...values, attachment_ids: pending.ids }),
    done: ({ ticket }) => {
      pending.forget();
      results.success(t('form.created', { number: ticketNumber(ticket) }));
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
    <div
      className="grid grid-cols-[minmax(0,720px)_minmax(0,336px)] items-start gap-(--card-pad) tablet:grid-cols-[minmax(0,720px)]"
      {...pending.target}
    >
      <FormCard submission={submission} label={t('nav.newTicket')}>
        {isRestored && (
          <div className="flex items-center flex-wrap justify-between gap-2" role="status">
            <span>{t('form.draft')}</span>
            <Button variant="text" size="small" onClick={discard}>
              {t('form.discard')}
            </Button>
          </div>
        )}
        <TextInput control={control} name="title" label={t('field.title')} autoFocus required />
        {seesLines && (
          <LineInput
            control={control}
            name="line_id"
            label={t('field.line')}
            hint={t('form.lineHint')}
            initial={line}
          />
        )}
        <MarkdownInput
          control={control}
          name="description"
          label={t('field.description')}
          hint={t('form.hint')}
          rows={8}
          hasTools
          keepsLines
          required
        />
        <PillChoice
          legend={t('field.priority')}
          options={ticketPriorities.map((value) => ({ value, label: <Priority of={value} /> }))}
          value={form.watch('priority')}
          onChange={(value) => form.setValue('priority', value, { shouldDirty: true })}
        />
        <PillChoice
          legend={t('field.category')}
          options={ticketCategories.map((value) => ({ value, label: t(`category.${value}`) }))}
          value={form.watch('category')}
          onChange={(value) => form.setValue('category', value, { shouldDirty: true })}
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

function Priority({ of }: { of: TicketPriority }) {
  const { t } = useTranslation('tickets');
  const { Icon } = priorityLooks[of];
  return (
    <>
      <Icon size={18} aria-hidden="true" />
      {t(`priority.${of}`)}
    </>
  );
}

/** The line whose id is in the address or in a draft. */
function useKnownLine(id: string | undefined, seesLines: boolean) {
  const { data } = useQuery({ ...lineQuery(id ?? ''), enabled: seesLines && Boolean(id) });
  return data ?? null;
}

const TYPING_PAUSE_MS = 400;
const LEAST_LETTERS = 4;
const MOST_LETTERS = 100;
const SHOWN = 3;

function suggestionsQuery(q: string, locale: Language) {
  return queryOptions({
    queryKey: ['articles', 'suggested', q, locale],
    queryFn: async ({ signal }) => {
      const query = { q, locale, is_published: 'true', any_word: 'true' } as const;
      return (await call(listArticles, { query }, { signal })).items.slice(0, SHOWN);
    },
    enabled: q.length >= LEAST_LETTERS,
    placeholderData: keepPreviousData,
    // Suggestions are optional, so a failure is ignored.
    retry: false,
  });
}

/** Articles about the subject of the new ticket. They open in another tab, so that typed text stays. */
function HelpfulArticles({ title }: { title: string }) {
  const { t, i18n } = useTranslation('tickets');
  const { t: articles } = useTranslation('articles');
  const q = useDebounced(title.trim().slice(0, MOST_LETTERS).trim(), TYPING_PAUSE_MS);
  const { data = [] } = useQuery(suggestionsQuery(q, i18n.language as Language));
  const found = q.length >= LEAST_LETTERS ? data : [];
  return (
    <div
      role="status"
      className="[&_a]:flex [&_a]:items-center [&_a]:justify-between [&_a]:gap-3 [&_a]:min-h-14 [&_a]:py-2 [&_a]:px-0 [&_a]:[&:hover_b]:underline"
    >
      {found.length > 0 && (
        <Card>
          <h2 className="mb-2">{t('help.title')}</h2>
          <ul className="divided">
            {found.map(({ id, title: name, locale, category }) => (
              <li key={id}>
                <Link to="/support/knowledge-base/$id" params={{ id }} target="_blank">
                  <span className="grid grid-cols-1 min-w-0 wrap-anywhere">
                    <b lang={locale} className="link">
                      <TypedText>{name}</TypedText>
                    </b>
                    <small>{articles(`categories.${category}`)}</small>
                  </span>
                  <ExternalLink color="var(--color-icon)" size={16} aria-hidden="true" />
                  <span className="visually-hidden">{t('help.newTab')}</span>
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}

type NamedLine = Pick<Line, 'id' | 'username'>;

const asFound = ({ id, username }: NamedLine): Found => ({ id, label: username });

/** Searches lines in the same way as their list. */
const useFoundLines = (q: string) =>
  useQuery(
    callQuery('lines', listLines, {
      query: { q, limit: OFFERED, sort: '-added_date' },
      select: ({ items }) => items.map(asFound),
      placeholderData: keepPreviousData,
    }),
  );

interface LineInputProps<Values extends FieldValues, Output> extends FieldProps<Values, Output> {
  /** The line whose id the field has at first. */
  initial: NamedLine | null;
}

/** A form field that stores a line's id, or none, and shows its name. */
function LineInput<Values extends FieldValues, Output>(props: LineInputProps<Values, Output>) {
  const { t } = useTranslation();
  const { initial } = props;
  const { field, frame, input } = useField(props);
  const [chosen, setChosen] = useState<Found | null>(null);
  const known =
    [chosen, initial && asFound(initial)].find((line) => line?.id === field.value) ?? null;
  return (
    <FieldFrame {...frame}>
      <SearchPicker
        key={initial?.id}
        id={input.id}
        aria-describedby={input['aria-describedby']}
        value={known}
        onChange={(line) => {
          setChosen(line);
          field.onChange(line?.id);
        }}
        onBlur={field.onBlur}
        useFound={useFoundLines}
        nothing={t('picker.noLine')}
      />
    </FieldFrame>
  );
}
