import { type Language, languages } from '@linekeeper/contract/languages.ts';
import {
  createMessage,
  MAX_MESSAGE_LENGTH,
  MAX_MESSAGE_TITLE,
} from '@linekeeper/contract/messages.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { type FieldPath, useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { BellEntry, BellList } from '#domain/messages/bell-entry.tsx';
import { MarkdownInput } from '#kit/forms/fields/markdown-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormCard } from '#kit/forms/form.tsx';
import { DayInput } from '#kit/forms/pickers/day-picker.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { Markdown } from '#kit/markdown/markdown.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Card } from '#kit/ui/card.tsx';
import { RadioPill } from '#kit/ui/controls/pills.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { displayName } from '#platform/data/display-name.ts';
import { useMe } from '#platform/data/session.ts';
import { languageNames } from '#platform/i18n/languages.ts';
import { results } from '#platform/state/results.ts';
import {
  type MessageControl,
  type MessageValues,
  messageBody,
  messageForm,
} from './message-form.ts';
import { RecipientField } from './recipient-field.tsx';
import { useFirstValues } from './use-outage-message.ts';

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
        {language && <LanguageChoice value={language} onChange={setLanguage} />}
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

interface LanguageChoiceProps {
  value: Language;
  onChange: (language: Language) => void;
}

/** The choice of the language whose text is shown; each reader gets the text in the reader's own language. */
function LanguageChoice({ value, onChange }: LanguageChoiceProps) {
  const { t } = useTranslation('messages');
  const name = useId();
  return (
    <fieldset className="flex flex-wrap items-stretch gap-2 [&_legend]:mb-2">
      <legend>{t('language')}</legend>
      {languages.map((language) => (
        <RadioPill
          key={language}
          size="medium"
          name={name}
          checked={language === value}
          onChange={() => onChange(language)}
          lang={language}
        >
          {languageNames[language]}
        </RadioPill>
      ))}
    </fieldset>
  );
}

function WhenFields({ control }: { control: MessageControl }) {
  const { t } = useTranslation('messages');
  const name = useId();
  const isLater = useWatch({ control, name: 'isLater' });
  const { field } = useController({ control, name: 'isLater' });
  return (
    <>
      <fieldset className="flex flex-wrap items-stretch gap-2 [&_legend]:mb-2">
        <legend>{t('field.when')}</legend>
        {[false, true].map((later) => (
          <RadioPill
            key={String(later)}
            size="medium"
            name={name}
            checked={isLater === later}
            onChange={() => field.onChange(later)}
          >
            {t(later ? 'form.later' : 'field.now')}
          </RadioPill>
        ))}
      </fieldset>
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
