import {
  createMessage,
  MAX_MESSAGE_LENGTH,
  MAX_MESSAGE_TITLE,
} from '@linekeeper/contract/messages.ts';
import { useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../shared/data/session.ts';
import { RequiredMark } from '../../shared/forms/fields/field-frame.tsx';
import { MarkdownInput } from '../../shared/forms/fields/markdown-input.tsx';
import { TextInput } from '../../shared/forms/fields/text-input.tsx';
import { FormCard } from '../../shared/forms/form.tsx';
import { AccountInput } from '../../shared/forms/pickers/account-picker.tsx';
import { DayInput } from '../../shared/forms/pickers/day-picker.tsx';
import { useCommandForm } from '../../shared/forms/use-command-form.ts';
import { BellEntry, BellList } from '../../shared/layout/bell/bell-entry.tsx';
import { displayName } from '../../shared/layout/display-name.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { results } from '../../shared/state/results.ts';
import { Card } from '../../shared/ui/card.tsx';
import { RadioPill } from '../../shared/ui/controls/pills.tsx';
import { Radio } from '../../shared/ui/controls/radio.tsx';
import { Markdown } from '../../shared/ui/markdown/markdown.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { Grid, Row, Stack, Text } from '../../shared/ui/vocabulary.tsx';
import styles from './create-message.module.css';
import { type MessageControl, messageBody, messageForm, newMessage } from './message-form.ts';
import messageStyles from './messages.module.css';

export function CreateMessagePage() {
  const { t } = useTranslation('messages');
  const navigate = useNavigate();
  const { form, field, submission } = useCommandForm(createMessage, {
    schema: messageForm,
    refreshes: ['messages', 'notifications'],
    defaultValues: newMessage,
    bodyOf: messageBody,
    // The account may have been deleted since it was chosen.
    fieldOfCode: { USER_NOT_FOUND: 'recipient_id' },
    done: ({ message }) => {
      const isScheduled = message.state === 'scheduled';
      results.success(t(isScheduled ? 'form.isScheduled' : 'form.sent'));
      const search = { message: message.id, ...(isScheduled ? { state: 'scheduled' } : {}) };
      return navigate({ to: '/messages', search });
    },
  });
  const { control } = form;
  const isLater = useWatch({ control, name: 'isLater' });
  return (
    <>
      <PageHeader />
      <Grid columns="minmax(0, 720px) minmax(0, 336px)" align="start" gap={24} single="tablet">
        <FormCard
          submission={submission}
          label={t('createMessage')}
          submitLabel={t(isLater ? 'form.schedule' : 'form.send')}
          cancelTo="/messages"
        >
          <RecipientField control={control} />
          <TextInput
            {...field('title')}
            label={t('form.title')}
            maxLength={MAX_MESSAGE_TITLE}
            required
          />
          <MarkdownInput
            {...field('content')}
            label={t('form.content')}
            hint={t('form.contentHint')}
            maxLength={MAX_MESSAGE_LENGTH}
            rows={8}
            hasTools
            keepsLines
            required
          />
          <WhenFields control={control} />
        </FormCard>
        <MessagePreview control={control} />
      </Grid>
    </>
  );
}

function WhenFields({ control }: { control: MessageControl }) {
  const { t } = useTranslation('messages');
  const name = useId();
  const isLater = useWatch({ control, name: 'isLater' });
  const { field } = useController({ control, name: 'isLater' });
  return (
    <>
      <Row as="fieldset" align="stretch" gap={8} wrap className={styles.choice}>
        <legend>{t('form.when')}</legend>
        {[false, true].map((later) => (
          <RadioPill
            key={String(later)}
            size="medium"
            name={name}
            checked={isLater === later}
            onChange={() => field.onChange(later)}
          >
            {t(later ? 'form.later' : 'form.now')}
          </RadioPill>
        ))}
      </Row>
      {isLater && (
        <Grid columns="minmax(0, 2fr) minmax(0, 1fr)" gap={16} single="phone" phoneGap={20}>
          <DayInput control={control} name="day" label={t('form.day')} required />
          <TextInput
            control={control}
            name="time"
            label={t('form.time')}
            hint={t('form.timeHint')}
          />
        </Grid>
      )}
      <DayInput control={control} name="until" label={t('form.until')} hint={t('form.untilHint')} />
    </>
  );
}

function RecipientField({ control }: { control: MessageControl }) {
  const { t } = useTranslation('messages');
  const name = useId();
  const { field } = useController({ control, name: 'is_global' });
  const choices = [
    { isGlobal: true, label: t('everyone'), hint: t('form.everyoneHint') },
    { isGlobal: false, label: t('form.one'), hint: t('form.oneHint') },
  ];
  return (
    <>
      <Grid
        as="fieldset"
        columns="repeat(2, minmax(0, 1fr))"
        gap={12}
        single="phone"
        phoneGap={8}
        className={styles.recipients}
      >
        <legend>
          {t('form.recipient')}
          <RequiredMark />
        </legend>
        {choices.map(({ isGlobal, label, hint }) => (
          <Row as="label" align="start" gap={12} justify="between" className="choice" key={label}>
            <Stack as="span" strong>
              {label}
              <small>{hint}</small>
            </Stack>
            <Radio
              name={name}
              checked={field.value === isGlobal}
              onChange={() => field.onChange(isGlobal)}
            />
          </Row>
        ))}
      </Grid>
      {!field.value && (
        <AccountInput
          control={control}
          name="recipient_id"
          label={t('field.account')}
          hint={t('form.account')}
          initial={null}
          required
        />
      )}
    </>
  );
}

function MessagePreview({ control }: { control: MessageControl }) {
  const { t } = useTranslation('messages');
  const me = useMe();
  const [title, content] = useWatch({ control, name: ['title', 'content'] });
  const shownTitle = <TypedText>{title.trim() || t('form.title')}</TypedText>;
  return (
    <Card title={t('preview.title')} className={styles.preview}>
      <p>{t('preview.text')}</p>
      <h3>{t('preview.inBell')}</h3>
      <BellList>
        <BellEntry kind="message" isUnread title={shownTitle} content={content} />
      </BellList>
      <h3>{t('preview.asMessage')}</h3>
      <div className={styles.previewed}>
        <b>{shownTitle}</b>
        <small>
          <TypedText>{displayName(me)}</TypedText>
        </small>
        <Text as="div" above={8} wraps className={messageStyles.content} dir="auto">
          <Markdown text={content} keepsLines />
        </Text>
      </div>
    </Card>
  );
}
