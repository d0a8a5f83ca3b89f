import { type Language, languages } from '@linekeeper/contract/languages.ts';
import {
  createMessage,
  MAX_MESSAGE_LENGTH,
  MAX_MESSAGE_TITLE,
} from '@linekeeper/contract/messages.ts';
import type { Outages } from '@linekeeper/contract/servers/outages.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { type FieldPath, useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { AccountInput } from '#domain/accounts/account-picker.tsx';
import { BellEntry, BellList } from '#domain/messages/bell-entry.tsx';
import { outagesQuery } from '#domain/servers/outage-queries.ts';
import { serverChoicesQuery } from '#domain/servers/server-choices.ts';
import { troubleOfOutage } from '#domain/servers/trouble.ts';
import { RequiredMark } from '#kit/forms/fields/field-frame.tsx';
import { MarkdownInput } from '#kit/forms/fields/markdown-input.tsx';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormCard } from '#kit/forms/form.tsx';
import { DayInput } from '#kit/forms/pickers/day-picker.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { Markdown } from '#kit/markdown/markdown.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Card } from '#kit/ui/card.tsx';
import { PillChoice } from '#kit/ui/controls/pills.tsx';
import { Radio } from '#kit/ui/controls/radio.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { displayName } from '#platform/data/display-name.ts';
import { useMe } from '#platform/data/session.ts';
import { formatSince } from '#platform/format/format-moment.ts';
import { fetchInAllLanguages } from '#platform/i18n/i18n.ts';
import { languageNames } from '#platform/i18n/languages.ts';
import { results } from '#platform/state/results.ts';
import {
  inEachLanguage,
  type MessageControl,
  type MessageTexts,
  type MessageValues,
  messageAbout,
  messageBody,
  messageForm,
  newMessage,
  recipientKinds,
} from './message-form.ts';

export function CreateMessagePage() {
  const { server } = useSearch({ from: '/shell/messages/create' });
  const first = useFirstValues(server);
  return (
    <>
      <PageHeader />
      {first && <MessageForm key={server ?? ''} first={first} />}
    </>
  );
}

function MessageForm({ first }: { first: MessageValues }) {
  const { t } = useTranslation('messages');
  const navigate = useNavigate();
  const { form, field, submission } = useCommandForm(createMessage, {
    schema: messageForm,
    refreshes: ['messages', 'notifications', 'servers'],
    defaultValues: first,
    bodyOf: messageBody,
    // The account or the server may have been deleted since it was chosen.
    fieldOfCode: { USER_NOT_FOUND: 'recipient_id', SERVER_NOT_FOUND: 'server_id' },
    done: ({ message }) => {
      const isScheduled = message.state === 'scheduled';
      results.success(t(isScheduled ? 'form.isScheduled' : 'form.sent'));
      const search = { message: message.id, ...(isScheduled ? { state: 'scheduled' } : {}) };
      return navigate({ to: '/messages', search });
    },
  });
  const { control } = form;
  const isLater = useWatch({ control, name: 'isLater' });
  const { i18n } = useTranslation();
  const own = languages.find((one) => one === i18n.language) ?? 'en';
  const [language, setLanguage] = useState<Language | null>(first.texts ? own : null);
  const { errors, submitCount } = form.formState;
  const showProblem = useEffectEvent(() => {
    const wrong = languages.find((one) => errors.texts?.[one]);
    if (wrong && language && !errors.texts?.[language]) setLanguage(wrong);
  });
  // A field of another language is hidden, so its language is shown after an attempt to send.
  useEffect(() => {
    if (submitCount > 0) showProblem();
  }, [submitCount]);
  const [title, content] = language
    ? ([`texts.${language}.title`, `texts.${language}.content`] as const)
    : (['title', 'content'] as const);
  return (
    <div className="grid grid-cols-[minmax(0,720px)_minmax(0,336px)] items-start gap-6 tablet:grid-cols-1">
      <FormCard
        submission={submission}
        label={t('nav.createMessage')}
        submitLabel={t(isLater ? 'form.schedule' : 'action.send')}
        cancelTo="/messages"
      >
        <RecipientField control={control} />
        {language && (
          <PillChoice
            legend={t('language')}
            options={languages.map((value) => ({
              ...{ value, lang: value },
              label: languageNames[value],
            }))}
            value={language}
            onChange={setLanguage}
          />
        )}
        <TextInput
          key={title}
          {...field(title)}
          label={t('field.title')}
          maxLength={MAX_MESSAGE_TITLE}
          required
        />
        <MarkdownInput
          key={content}
          {...field(content)}
          label={t('field.content')}
          maxLength={MAX_MESSAGE_LENGTH}
          rows={8}
          hasTools
          keepsLines
          required
        />
        <WhenFields control={control} />
      </FormCard>
      <MessagePreview control={control} names={[title, content]} />
    </div>
  );
}

function WhenFields({ control }: { control: MessageControl }) {
  const { t } = useTranslation('messages');
  const isLater = useWatch({ control, name: 'isLater' });
  const { field } = useController({ control, name: 'isLater' });
  return (
    <>
      <PillChoice
        legend={t('field.when')}
        options={[
          { value: 'now', label: t('field.now') },
          { value: 'later', label: t('form.later') },
        ]}
        value={isLater ? 'later' : 'now'}
        onChange={(when) => field.onChange(when === 'later')}
      />
      {isLater && (
        <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-4 phone:grid-cols-1 phone:gap-5">
          <DayInput control={control} name="day" label={t('form.day')} required />
          <TextInput
            control={control}
            name="time"
            label={t('field.time')}
            hint={t('form.timeHint')}
          />
        </div>
      )}
      <DayInput control={control} name="until" label={t('form.until')} />
    </>
  );
}

interface MessagePreviewProps {
  control: MessageControl;
  /** Names of the fields of title and content. */
  names: readonly [FieldPath<MessageValues>, FieldPath<MessageValues>];
}

function MessagePreview({ control, names }: MessagePreviewProps) {
  const { t } = useTranslation('messages');
  const me = useMe();
  const [title = '', content = ''] = useWatch({ control, name: names }).map(String);
  const shownTitle = <TypedText>{title.trim() || t('field.title')}</TypedText>;
  return (
    <Card
      title={t('action.preview')}
      className="min-w-0 [&_h3]:mt-4 [&_h3]:mx-0 [&_h3]:mb-2 [&_h3]:type-[600_12px/18px_var(--font)] [&>ul>li]:rounded-[12px]"
    >
      <h3>{t('preview.inBell')}</h3>
      <BellList>
        <BellEntry kind="message" isUnread title={shownTitle} content={content} />
      </BellList>
      <h3>{t('preview.asMessage')}</h3>
      <div className="p-4 border border-divider rounded-[12px] wrap-anywhere [&>b]:block [&>b]:type-card [&_p]:mt-2 [&_p]:type-body">
        <b>{shownTitle}</b>
        <small>
          <TypedText>{displayName(me)}</TypedText>
        </small>
        <div className="mt-2 min-w-0 wrap-anywhere max-w-160" dir="auto">
          <Markdown text={content} keepsLines />
        </div>
      </div>
    </Card>
  );
}

/** The choice of a message's recipients: everyone, one account, or the accounts with lines on a server. */
function RecipientField({ control }: { control: MessageControl }) {
  const { t } = useTranslation('messages');
  const name = useId();
  const { field } = useController({ control, name: 'to' });
  return (
    <>
      <fieldset className="grid grid-cols-3 gap-3 phone:grid-cols-1 phone:gap-2 [&_legend]:mb-2 [&_label]:py-3 [&_label]:px-4 [&_label>span]:min-w-0">
        <legend>
          {t('field.recipient_id')}
          <RequiredMark />
        </legend>
        {recipientKinds.map((kind) => (
          <label className="choice flex items-start justify-between gap-3" key={kind}>
            {kind === 'everyone' ? t('everyone') : t(`form.to.${kind}`)}
            <Radio
              name={name}
              checked={field.value === kind}
              onChange={() => field.onChange(kind)}
            />
          </label>
        ))}
      </fieldset>
      {field.value === 'one' && (
        <AccountInput
          control={control}
          name="recipient_id"
          label={t('field.account')}
          hint={t('form.account')}
          initial={null}
          required
        />
      )}
      {field.value === 'server' && <ServerField control={control} />}
    </>
  );
}

function ServerField({ control }: { control: MessageControl }) {
  const { t } = useTranslation('messages');
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  return (
    <SelectInput
      control={control}
      name="server_id"
      label={t('field.server')}
      placeholder={t('form.chooseServer')}
      options={servers.map(({ id, server_name }) => ({ value: id, label: server_name }))}
      required
    />
  );
}

/**
 * The values with which the form for a new message opens: empty, or, for a server, its resellers as recipients and a
 * text in each language if the server does not respond. Undefined while the texts are fetched.
 */
function useFirstValues(serverId: string | undefined): MessageValues | undefined {
  const texts = useOutageTexts(serverId);
  if (!serverId) return newMessage;
  return texts === undefined ? undefined : messageAbout(serverId, texts ?? undefined);
}

/**
 * Texts about an outage of a server, in each language. Null if the server responds or the texts cannot be loaded;
 * undefined while they are fetched.
 */
function useOutageTexts(serverId: string | undefined): MessageTexts | null | undefined {
  const { i18n } = useTranslation();
  const { data: outages, isError } = useQuery({
    ...outagesQuery(),
    enabled: serverId !== undefined,
  });
  const [isFetched, setFetched] = useState<boolean>();
  useEffect(() => {
    if (serverId === undefined) return;
    // The sentence about new sales is among the texts of the frame.
    Promise.all([fetchInAllLanguages('messages'), fetchInAllLanguages('frame')]).then(
      () => setFetched(true),
      () => setFetched(false),
    );
  }, [serverId]);
  if (isError || isFetched === false) return null;
  if (!outages || isFetched === undefined) return undefined;
  const away = outages.items.find(
    (one) => one.server_id === serverId && troubleOfOutage(one).cause === 'noAnswer',
  );
  if (!away) return null;
  return inEachLanguage((language) =>
    outageText(i18n.getFixedT(language, 'messages'), language, away, outages),
  );
}

function outageText(
  t: TFunction<'messages'>,
  language: Language,
  away: Outages['items'][number],
  outages: Outages,
) {
  const name = away.server_name;
  const time = formatSince(Date.parse(away.since), language);
  const server = outages.new_sales_server;
  return {
    title: t('recurring.notResponding', { name }),
    content: [
      t('outage.since', { name, time }),
      ...(server === null ? [] : [t('outage.sales', { name: server })]),
      t('outage.waits', { name }),
    ].join('\n\n'),
  };
}
