import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { densities } from '@linekeeper/contract/preferences.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useChooseLanguage } from '../../shared/account-language.ts';
import { languageNames } from '../../shared/i18n/languages.ts';
import { useChangePreferences, usePreferences } from '../../shared/preferences.ts';
import { Card } from '../../shared/ui/card.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Flag } from '../../shared/ui/flag.tsx';
import styles from './preferences-card.module.css';

/** What takes effect at once, without saving. */
export function PreferencesCard() {
  const { t } = useTranslation('profile');
  return (
    <Card title={t('preferences.title')}>
      <div className={styles.groups}>
        <LanguageChoice />
        <DensityChoice />
        <ShortcutsChoice />
      </div>
    </Card>
  );
}

function LanguageChoice() {
  const { t, i18n } = useTranslation('profile');
  const name = useId();
  const chooseLanguage = useChooseLanguage();
  const current = i18n.language as Language;
  return (
    <fieldset className={styles.choices}>
      <legend>{t('preferences.language')}</legend>
      {languages.map((language) => (
        <label key={language} lang={language}>
          <input
            type="radio"
            name={name}
            checked={language === current}
            onChange={() => chooseLanguage(language)}
          />
          <Flag language={language} />
          {languageNames[language]}
        </label>
      ))}
    </fieldset>
  );
}

function DensityChoice() {
  const { t } = useTranslation('profile');
  const name = useId();
  const { density } = usePreferences();
  const { change, offerUndo } = useChangePreferences();
  return (
    <fieldset className={styles.choices}>
      <legend>{t('preferences.density')}</legend>
      {densities.map((one) => (
        <label key={one}>
          <input
            type="radio"
            name={name}
            checked={one === density}
            onChange={() => {
              change({ density: one });
              offerUndo(t('preferences.saved'), { density });
            }}
          />
          {t(`preferences.densities.${one}`)}
        </label>
      ))}
    </fieldset>
  );
}

function ShortcutsChoice() {
  const { t } = useTranslation('profile');
  const id = useId();
  const { shortcuts } = usePreferences();
  const { change, offerUndo } = useChangePreferences();
  return (
    <div>
      <label htmlFor={`${id}-box`} className={styles.check}>
        <Checkbox
          id={`${id}-box`}
          checked={shortcuts}
          aria-describedby={id}
          onChange={({ target }) => {
            change({ shortcuts: target.checked });
            offerUndo(t('preferences.saved'), { shortcuts });
          }}
        />
        {t('preferences.shortcuts')}
      </label>
      <p id={id} className={styles.hint}>
        {t('preferences.shortcutsHint')}
      </p>
    </div>
  );
}
