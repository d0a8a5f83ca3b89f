import { type Language, languages } from '@linekeeper/contract/languages.ts';
import type { Customer } from '@linekeeper/contract/lines/customers.ts';
import { namedLine } from '@linekeeper/contract/lines/receivers.ts';
import { Pencil } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../shared/data/session.ts';
import { fetchInAllLanguages } from '../../../shared/i18n/i18n.ts';
import { languageNames } from '../../../shared/i18n/languages.ts';
import { displayName } from '../../../shared/layout/display-name.ts';
import { PASSWORD_DOTS, useRevealLine } from '../../../shared/lines/queries.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { RadioPill } from '../../../shared/ui/controls/pills.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { Caption, Row, Stack } from '../../../shared/ui/vocabulary.tsx';
import styles from './tell.module.css';

/** What is filled in for each customer, as it stands in a text that is edited. */
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

/** The text for customers, in one of the languages and as it was edited. */
export function useReadyText() {
  const { i18n } = useTranslation('bulk');
  const me = useMe();
  const { mutateAsync: reveal } = useRevealLine();
  const own = languages.find((one) => one === i18n.language) ?? 'en';
  const [language, setLanguage] = useState<Language>(own);
  const [edited, setEdited] = useState<Partial<Record<Language, string>>>({});
  const [, setFetched] = useState(false);
  useEffect(() => {
    fetchInAllLanguages('bulk').then(
      () => setFetched(true),
      () => setLanguage(own),
    );
  }, [own]);
  const given = i18n.getFixedT(language, 'bulk')('tell.text', {
    username: NAME,
    lines: LINES,
    seller: displayName(me),
  });
  const template = edited[language] ?? given;
  return {
    language,
    setLanguage,
    template,
    edit: (text: string) => setEdited({ ...edited, [language]: text }),
    shownTo: (customer: Customer) => filledIn(template, customer, PASSWORD_DOTS),
    /** With the password, which is revealed for it. */
    textFor: async (customer: Customer) =>
      filledIn(template, customer, (await reveal(customer.line_id)).password),
  };
}
export type ReadyText = ReturnType<typeof useReadyText>;

interface ReadyTextCardProps {
  text: ReadyText;
  /** The customer whose text is shown. */
  first: Customer | undefined;
}

export function ReadyTextCard({ text, first }: ReadyTextCardProps) {
  const { t } = useTranslation('bulk');
  const name = useId();
  const [isEditing, setEditing] = useState(false);
  return (
    <Card title={t('tell.ready')}>
      <Stack gap={16}>
        <Row as="fieldset" gap={8} wrap>
          <legend className="visually-hidden">{t('tell.language')}</legend>
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
        </Row>
        {isEditing || !first ? (
          <textarea
            className={`field-box ${styles.edited}`}
            aria-label={t('tell.ready')}
            rows={12}
            dir="auto"
            lang={text.language}
            value={text.template}
            onChange={({ target }) => text.edit(target.value)}
          />
        ) : (
          <p className={styles.text} lang={text.language}>
            <TypedText>{text.shownTo(first)}</TypedText>
          </p>
        )}
        <Row>
          <Button icon={<Pencil />} onClick={() => setEditing(!isEditing)}>
            {t(isEditing ? 'tell.preview' : 'tell.edit')}
          </Button>
        </Row>
        <Caption as="p">{t('tell.hint', { name: NAME, lines: LINES })}</Caption>
      </Stack>
    </Card>
  );
}
