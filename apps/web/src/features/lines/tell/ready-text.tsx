import { type Language, languages } from '@linekeeper/contract/languages.ts';
import type { Customer, CustomersOfAccount } from '@linekeeper/contract/lines/customers.ts';
import { namedLine } from '@linekeeper/contract/lines/receivers.ts';
import { factsOf, fillText, textOf } from '@linekeeper/contract/text/own-texts.ts';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PASSWORD_DOTS, useRevealLine } from '#domain/lines/queries.ts';
import { Card } from '#kit/ui/card.tsx';
import { RadioPill } from '#kit/ui/controls/pills.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { languageNames, languageOr } from '#platform/i18n/languages.ts';
import { CopyText } from './copy-text.tsx';

/** Place of the password in a C or N line. */
const PASSWORD = 4;

/** The facts of a customer's text, with the new entries of the change. */
function factsFor(customer: Customer, password: string, page: string | null, language: Language) {
  const lines = customer.new_lines.map((line) => {
    const parts = namedLine(line, customer.username).split(' ');
    return /^[CN]: /.test(line) ? parts.with(PASSWORD, password).join(' ') : line;
  });
  const [only = '', ...others] = lines;
  const [, address, port] = others.length === 0 && only.startsWith('C: ') ? only.split(' ') : [];
  const facts = factsOf({ ...customer, password, page, servers: [] }, language);
  return { ...facts, address, port, c_line: lines.join('\n') };
}

/**
 * The text about a new address that each customer gets, in the words of the customer's seller and in the customer's
 * language. Customers without a language get the one that is chosen for all. Another one can be chosen for each.
 */
export function useReadyText(accounts: readonly CustomersOfAccount[]) {
  const { i18n } = useTranslation();
  const { mutateAsync: reveal } = useRevealLine();
  const [chosen, setLanguage] = useState<Language>();
  const [others, setOthers] = useState<Record<string, Language>>({});
  const languageOf = ({ line_id, language }: Customer) =>
    others[line_id] ?? chosen ?? languageOr(language ?? i18n.language);
  const filledIn = (customer: Customer, password: string, page: string | null) => {
    const language = languageOf(customer);
    const moved = accounts.find((one) => one.account_id === customer.owner_id)?.texts ?? {};
    const text = textOf({ moved }, 'moved', language);
    return fillText(text, factsFor(customer, password, page, language));
  };
  return {
    setLanguage: (language: Language) => {
      setLanguage(language);
      setOthers({});
    },
    languageOf,
    setLanguageOf: (lineId: string, language: Language) =>
      setOthers({ ...others, [lineId]: language }),
    shownTo: (customer: Customer) => filledIn(customer, PASSWORD_DOTS, null),
    /** The text with the password and the link of the customer's page, which are fetched for it. */
    textFor: async (customer: Customer) => {
      const { password, page } = await reveal(customer.line_id);
      return filledIn(customer, password, page);
    },
  };
}
export type ReadyText = ReturnType<typeof useReadyText>;

interface ReadyTextCardProps {
  text: ReadyText;
  /** The customer whose text is shown. */
  first: Customer;
  onTold: (customer: Customer) => void;
}

export function ReadyTextCard({ text, first, onTold }: ReadyTextCardProps) {
  const { t } = useTranslation('bulk');
  const me = useMe();
  const name = useId();
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
              checked={text.languageOf(first) === language}
              onChange={() => text.setLanguage(language)}
            >
              {languageNames[language]}
            </RadioPill>
          ))}
        </fieldset>
        <p
          className="p-4 rounded-[12px] bg-head wrap-anywhere whitespace-pre-wrap"
          lang={text.languageOf(first)}
        >
          <TypedText>{text.shownTo(first)}</TypedText>
        </p>
        <div className="flex items-center flex-wrap gap-4">
          <CopyText getText={() => text.textFor(first)} onCopied={() => onTold(first)} />
          {first.owner_id === me.id && (
            <Link className="link" to="/profile/texts" search={{ kind: 'moved' }}>
              {t('texts.edit')}
            </Link>
          )}
        </div>
        <p className="text-text-2 type-caption">{t('tell.hint')}</p>
      </div>
    </Card>
  );
}
