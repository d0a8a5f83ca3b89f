import { type Language, languages } from '@linekeeper/contract/languages.ts';
import type { Customer } from '@linekeeper/contract/lines/customers.ts';
import { namedLine } from '@linekeeper/contract/lines/receivers.ts';
import { Pencil } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PASSWORD_DOTS, useRevealLine } from '#domain/lines/queries.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { RadioPill } from '#kit/ui/controls/pills.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { draftKey, keepDraft, readDraft } from '#platform/browser/draft-store.ts';
import { displayName } from '#platform/data/display-name.ts';
import { useMe } from '#platform/data/session.ts';
import { fetchInAllLanguages } from '#platform/i18n/i18n.ts';
import { languageNames } from '#platform/i18n/languages.ts';
import { CopyText } from './copy-text.tsx';

/** Placeholders for what is filled in for each customer, in a text that is edited. */
const NAME = '{username}';
const LINES = '{lines}';

/** Place of the password in a C or N line. */
const PASSWORD = 4;

function filledIn(template: string, { username, new_lines }: Customer, password: string): string {
  const lines = new_lines.map((line) => {
    const parts = namedLine(line, username).split(' ');
    return /^[CN]: /.test(line) ? parts.with(PASSWORD, password).join(' ') : line;
  });
  return template.replaceAll(NAME, username).replaceAll(LINES, lines.join('\n'));
}

/** Texts as they were edited, by language, kept in this browser until sign-out. */
function useEdited(jobId: string) {
  const key = draftKey(useMe().id, `tell-${jobId}`);
  const [edited, setEdited] = useState(() => readDraft(key)?.values ?? {});
  return {
    editedIn: (language: Language) => {
      const text = edited[language];
      return typeof text === 'string' ? text : undefined;
    },
    edit: (language: Language, text: string) => {
      const values = { ...edited, [language]: text };
      setEdited(values);
      keepDraft(key, { values });
    },
  };
}

/** The text for customers as it was edited, in one language for all customers, or in another language for some. */
export function useReadyText(jobId: string) {
  const { i18n } = useTranslation('bulk');
  const me = useMe();
  const { mutateAsync: reveal } = useRevealLine();
  const own = languages.find((one) => one === i18n.language) ?? 'en';
  const [language, setLanguage] = useState<Language>(own);
  const [others, setOthers] = useState<Record<string, Language>>({});
  const { editedIn, edit } = useEdited(jobId);
  const [, setFetched] = useState(false);
  useEffect(() => {
    fetchInAllLanguages('bulk').then(
      () => setFetched(true),
      () => setLanguage(own),
    );
  }, [own]);
  const templateIn = (one: Language) =>
    editedIn(one) ??
    i18n.getFixedT(one, 'bulk')('tell.text', {
      username: NAME,
      lines: LINES,
      seller: displayName(me),
    });
  const languageOf = ({ line_id }: Customer) => others[line_id] ?? language;
  return {
    language,
    setLanguage: (chosen: Language) => {
      setLanguage(chosen);
      setOthers({});
    },
    languageOf,
    setLanguageOf: (lineId: string, chosen: Language) => setOthers({ ...others, [lineId]: chosen }),
    template: templateIn(language),
    edit: (text: string) => edit(language, text),
    shownTo: (customer: Customer) =>
      filledIn(templateIn(languageOf(customer)), customer, PASSWORD_DOTS),
    /** With the password, which is revealed for it. */
    textFor: async (customer: Customer) => {
      const template = templateIn(languageOf(customer));
      return filledIn(template, customer, (await reveal(customer.line_id)).password);
    },
  };
}
export type ReadyText = ReturnType<typeof useReadyText>;

interface ReadyTextCardProps {
  text: ReadyText;
  /** The customer whose text is shown. */
  first: Customer | undefined;
  onTold: (customer: Customer) => void;
}

export function ReadyTextCard({ text, first, onTold }: ReadyTextCardProps) {
  const { t } = useTranslation('bulk');
  const name = useId();
  const [isEditing, setEditing] = useState(false);
  return (
    <Card title={t('tell.ready')}>
      <div className="grid grid-cols-1 gap-4">
        <fieldset className="flex items-center flex-wrap gap-2">
          <legend className="visually-hidden">{t('language')}</legend>
          {languages.map((language) => (
            <RadioPill
              key={language}
              size="small"
              name={name}
              lang={language}
              checked={text.language === language}
              onChange={() => text.setLanguage(language)}
            >
              {languageNames[language]}
            </RadioPill>
          ))}
        </fieldset>
        {isEditing || !first ? (
          <textarea
            className="field-box w-full h-auto p-3 resize-y"
            aria-label={t('tell.ready')}
            rows={12}
            dir="auto"
            lang={text.language}
            value={text.template}
            onChange={({ target }) => text.edit(target.value)}
          />
        ) : (
          <p
            className="p-4 rounded-[12px] bg-head wrap-anywhere whitespace-pre-wrap"
            lang={text.languageOf(first)}
          >
            <TypedText>{text.shownTo(first)}</TypedText>
          </p>
        )}
        <div className="flex items-center flex-wrap gap-2">
          {first && !isEditing && (
            <CopyText getText={() => text.textFor(first)} onCopied={() => onTold(first)} />
          )}
          <Button icon={<Pencil />} onClick={() => setEditing(!isEditing)}>
            {t(isEditing ? 'recurring.done' : 'tell.edit')}
          </Button>
        </div>
        <p className="text-text-2 type-caption">{t('tell.hint', { name: NAME, lines: LINES })}</p>
      </div>
    </Card>
  );
}
