import {
  editSellerTexts,
  getSellerTexts,
  pageChanges,
  type SellerPage,
  type SellerTexts,
  type TextChanges,
} from '@linekeeper/contract/accounts/seller-texts.ts';
import { addDays } from '@linekeeper/contract/dates.ts';
import { type Language, languages } from '@linekeeper/contract/languages.ts';
import {
  factsOf,
  fillText,
  MAX_TEXT_LENGTH,
  placeholdersOf,
  type TextKind,
  textKinds,
  textOf,
  usualTexts,
} from '@linekeeper/contract/text/own-texts.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { Form, FormActions } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { FormPlace, useUnsavedGuard } from '#kit/forms/use-unsaved-guard.ts';
import { TabBar, TabLink } from '#kit/list/views/tab-bar.tsx';
import { FootBar } from '#kit/page/foot-bar.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Avatar } from '#kit/ui/avatar.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Segments } from '#kit/ui/controls/segments.tsx';
import { SwitchRow } from '#kit/ui/controls/switch-row.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { languageNames, languageOr } from '#platform/i18n/languages.ts';
import { TextEditor } from './text-editor.tsx';

const textsQuery = () => callQuery('seller-texts', getSellerTexts);

/** The words in which a seller writes to customers, by occasion and language. */
export function TextsPage() {
  const { data, error, refetch } = useQuery(textsQuery());
  return (
    <>
      <PageHeader />
      {data && <Texts stored={data} />}
      {!data && error && <FailedPanel error={error} onRetry={() => void refetch()} />}
    </>
  );
}

/** The place of the form of the customer's page: another tab leaves it. */
const kindOf = ({ search }: { search: object }) => (search as { kind?: string }).kind ?? '';

type Place = `${TextKind}.${Language}`;

const isFit = (text: string) =>
  text.length <= MAX_TEXT_LENGTH && placeholdersOf(text).unknown === null;

/** The texts as they are typed, and those of them that differ from what is stored. */
function useDrafts(stored: SellerTexts) {
  const [drafts, setDrafts] = useState<Partial<Record<Place, string>>>({});
  const storedAt = (kind: TextKind, language: Language) =>
    textOf({ [kind]: stored[kind] }, kind, language);
  const changes: TextChanges = {};
  let isSound = true;
  for (const kind of textKinds) {
    for (const language of languages) {
      const text = drafts[`${kind}.${language}`]?.trim();
      if (text === undefined || text === storedAt(kind, language)) continue;
      const isUsual = text === '' || text === usualTexts[kind][language];
      changes[kind] = { ...changes[kind], [language]: isUsual ? null : text };
      isSound &&= isFit(text);
    }
  }
  return {
    textAt: (kind: TextKind, language: Language) =>
      drafts[`${kind}.${language}`] ?? storedAt(kind, language),
    type: (kind: TextKind, language: Language, text: string) =>
      setDrafts((before) => ({ ...before, [`${kind}.${language}`]: text })),
    forget: () => setDrafts({}),
    changes,
    isChanged: Object.keys(changes).length > 0,
    /** False if a text has an unknown placeholder or is too long. */
    isSound,
  };
}

function Texts({ stored }: { stored: SellerTexts }) {
  const { t, i18n } = useTranslation('texts');
  const isPhone = useIsPhone();
  const search = useSearch({ from: '/shell/profile/texts' });
  const kind = textKinds.find((one) => one === search.kind) ?? 'handover';
  const [language, setLanguage] = useState(languageOr(i18n.language));
  const drafts = useDrafts(stored);
  const text = drafts.textAt(kind, language);
  useUnsavedGuard(drafts.isChanged);
  const save = useCommand(editSellerTexts, {
    refreshes: ['seller-texts', 'servers', 'jobs'],
    waits: true,
    done: drafts.forget,
    doneText: () => t('saved'),
  });
  const saveButton = (
    <Button
      variant="solid"
      size={isPhone ? 'large' : undefined}
      pending={save.isPending}
      disabled={!drafts.isSound}
      onClick={() => drafts.isChanged && void save.send(drafts.changes)}
    >
      {t('save')}
    </Button>
  );
  // This tab has a form of its own. Texts that were typed in the other tabs and not saved stay.
  if (search.kind === 'page') {
    return (
      <Card flush className="max-w-166">
        <Kinds current="page" />
        <FormPlace value={kindOf}>
          <PageForm stored={stored.page} />
        </FormPlace>
      </Card>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,664px)_minmax(0,392px)] items-start gap-6 tablet:grid-cols-1">
      <Card flush>
        <Kinds current={kind} />
        <div className="grid grid-cols-1 gap-5 p-(--card-pad)">
          <p className="text-text-2">{t(`use.${kind}`)}</p>
          <div className="grid [&>[role=radiogroup]]:flex [&>[role=radiogroup]]:justify-self-stretch [&_label]:flex-1 [&_label]:justify-center [&_label]:min-h-10 [&_label]:px-1 [&_label]:text-[14px]">
            <Segments
              label={t('language')}
              value={language}
              options={languages.map((value) => ({ value, label: languageNames[value] }))}
              onChange={setLanguage}
            />
          </div>
          <TextEditor
            key={`${kind}.${language}`}
            label={t('of', { kind: t(`texts.${kind}`), language: languageNames[language] })}
            lang={language}
            value={text}
            onChange={(typed) => drafts.type(kind, language, typed)}
          />
          <div className="flex flex-wrap items-center gap-2">
            {text !== usualTexts[kind][language] && (
              <Button
                variant="text"
                onClick={() => drafts.type(kind, language, usualTexts[kind][language])}
              >
                {t('usual')}
              </Button>
            )}
            {!isPhone && (
              <div className="flex items-center gap-2 ms-auto">
                <ButtonLink to="/profile/edit">{t('action.cancel')}</ButtonLink>
                {saveButton}
              </div>
            )}
          </div>
        </div>
      </Card>
      <Preview text={text} language={language} />
      {isPhone && <FootBar label={t('save')}>{saveButton}</FootBar>}
    </div>
  );
}

/** The occasions, each with its own address. */
function Kinds({ current }: { current: TextKind | 'page' }) {
  const { t } = useTranslation('texts');
  return (
    <div className="[--list-bleed:0px] phone:[&_nav]:gap-4">
      <TabBar aria-label={t('kinds')}>
        {[...textKinds, 'page' as const].map((kind) => (
          <TabLink
            key={kind}
            to="/profile/texts"
            search={{ kind }}
            replace
            resetScroll={false}
            isCurrent={kind === current}
          >
            {kind === 'page' ? t('recurring.customerPage') : t(`texts.${kind}`)}
          </TabLink>
        ))}
      </TabBar>
    </div>
  );
}

const customer = { name: 'Beata Lis', phone: '+48 22 5550 0118' };

/** A line as an example, with dots in place of its password. */
const example = {
  name: 'Beata',
  username: 'salon-mokotow',
  password: '••••',
  price_minor: 1200,
  currency: 'EUR',
  plan: 'Standard',
  owes: '12\u00a0EUR',
  page: 'https://my.lines.example/l/k7Qm…',
  host_port: [],
  servers: [
    {
      host_port: 'waw2.lines.example:12000',
      protocol: 'CCcam' as const,
      des_key: null,
      newcamd_ports: [],
    },
  ],
};

interface PreviewProps {
  text: string;
  language: Language;
}

/** The text as a customer gets it. */
function Preview({ text, language }: PreviewProps) {
  const { t } = useTranslation('texts');
  const expiry_date = addDays(useToday(), 26);
  return (
    <section aria-label={t('preview.title', { name: example.name })}>
      <div className="flex items-center justify-between gap-2 mb-2">
        <h2 className="type-strong">{t('preview.title', { name: example.name })}</h2>
        <span className="text-text-2 type-caption">{t('preview.hint')}</span>
      </div>
      <div className="border border-divider-strong rounded-[24px] bg-neutral-bg overflow-hidden shadow-(--shade-card) phone:rounded-card">
        <div className="flex items-center gap-3 py-3 px-4 bg-paper border-b border-b-divider">
          <Avatar accountId={customer.phone} name={customer.name} size={32} />
          <div>
            <p className="type-strong">{customer.name}</p>
            <p className="text-text-2 type-caption">{customer.phone}</p>
          </div>
        </div>
        <div className="p-4 pt-5">
          <p
            className="ms-10 py-2 px-4 rounded-[12px] rounded-se-none bg-success-bg wrap-anywhere whitespace-pre-wrap"
            lang={language}
          >
            {fillText(text, factsOf({ ...example, expiry_date }, language))}
          </p>
        </div>
      </div>
    </section>
  );
}

/** The form of the seller's part of customers' pages. */
function PageForm({ stored }: { stored: SellerPage }) {
  const { t, i18n } = useTranslation('texts');
  const { full_name } = useMe();
  const [language, setLanguage] = useState(languageOr(i18n.language));
  const { form, field, submission } = useCommandForm(editSellerTexts, {
    schema: pageChanges,
    defaultValues: stored,
    refreshes: ['seller-texts'],
    bodyOf: (page) => ({ page }),
    done: ({ page }, _, { reset }) => reset(page),
    doneText: () => t('page.saved'),
  });
  const shown = useController({ control: form.control, name: 'shows_password' }).field;
  const textOf = { kind: t('page.words'), language: languageNames[language] };
  return (
    <div className="p-(--card-pad)">
      <Form submission={submission} label={t('recurring.customerPage')}>
        <FormProblems form={form} />
        <p className="text-text-2">{t('page.hint')}</p>
        <TextInput {...field('name')} label={t('page.name')} placeholder={full_name} isNullable />
        <div className="grid grid-cols-1 gap-3 [&>[role=radiogroup]]:flex [&>[role=radiogroup]]:justify-self-stretch [&>[role=radiogroup]_label]:flex-1 [&>[role=radiogroup]_label]:justify-center [&>[role=radiogroup]_label]:min-h-10 [&>[role=radiogroup]_label]:px-1 [&>[role=radiogroup]_label]:text-[14px]">
          <Segments
            label={t('language')}
            value={language}
            options={languages.map((value) => ({ value, label: languageNames[value] }))}
            onChange={setLanguage}
          />
          <TextInput
            key={language}
            {...field(`words.${language}`)}
            label={t('of', textOf)}
            hint={t('page.wordsHint')}
            multiline
            rows={3}
            isNullable
          />
        </div>
        <TextInput {...field('phone')} label={t('field.phone')} type="tel" isNullable />
        <TextInput
          {...field('telegram')}
          label={t('page.telegram')}
          placeholder="@name"
          isNullable
        />
        <SwitchRow
          label={t('page.showsPassword')}
          hint={t('page.showsPasswordHint')}
          checked={shown.value ?? false}
          onChange={shown.onChange}
        />
        <FormActions>
          <SubmitButton pending={submission.isPending}>{t('action.save')}</SubmitButton>
          <ButtonLink to="/profile/edit">{t('action.cancel')}</ButtonLink>
        </FormActions>
      </Form>
    </div>
  );
}
