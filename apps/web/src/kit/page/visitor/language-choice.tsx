import { languages } from '@linekeeper/contract/languages.ts';
import { useTranslation } from 'react-i18next';
import { Flag } from '#kit/ui/flag.tsx';
import { Row } from '#kit/ui/vocabulary.tsx';
import { chooseLanguage } from '#platform/i18n/i18n.ts';
import { languageNames } from '#platform/i18n/languages.ts';
import styles from './language-choice.module.css';

/** All languages side by side, for screens without a session; centred ones fill a phone's width. */
export function LanguageChoice({ isCentred }: { isCentred?: boolean }) {
  const { t, i18n } = useTranslation();
  return (
    <Row
      as="nav"
      align="stretch"
      gap={4}
      wrap
      className={styles.languages}
      data-centred={isCentred || undefined}
      aria-label={t('language')}
    >
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-current={language === i18n.language ? 'true' : undefined}
          onClick={() => void chooseLanguage(language).catch(() => undefined)}
        >
          <Flag language={language} />
          {languageNames[language]}
        </button>
      ))}
    </Row>
  );
}
