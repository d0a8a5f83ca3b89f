import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { type Density, densities } from '@linekeeper/contract/lists/list.ts';
import { listNames, type Preferences } from '@linekeeper/contract/lists/preferences.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useChooseLanguage } from '../../shared/account-language.ts';
import { languageNames } from '../../shared/i18n/languages.ts';
import { useChangePreferences, usePreferences } from '../../shared/preferences.ts';
import { Card } from '../../shared/ui/card.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { Flag } from '../../shared/ui/flag.tsx';
import { RadioPill } from '../../shared/ui/radio-pill.tsx';
import styles from './preferences-card.module.css';

/** Preferences that are saved as soon as they are changed. */
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
        <RadioPill
          key={language}
          size="medium"
          lang={language}
          name={name}
          checked={language === current}
          onChange={() => chooseLanguage(language)}
        >
          <Flag language={language} />
          {languageNames[language]}
        </RadioPill>
      ))}
    </fieldset>
  );
}

/** A density for every list, computed per list. */
function ofAllLists(densityOf: (list: (typeof listNames)[number]) => Density) {
  const lists = listNames.map((list) => [list, { density: densityOf(list) }]);
  return { lists: Object.fromEntries(lists) as Pick<Preferences, never> };
}

/** Sets the density of all lists; none is marked if the lists differ. */
function DensityChoice() {
  const { t } = useTranslation('profile');
  const name = useId();
  const { lists } = usePreferences();
  const { change, offerUndo } = useChangePreferences();
  return (
    <fieldset className={styles.choices}>
      <legend>{t('preferences.density')}</legend>
      {densities.map((one) => (
        <RadioPill
          key={one}
          size="medium"
          name={name}
          checked={listNames.every((list) => lists[list].density === one)}
          onChange={() => {
            change(ofAllLists(() => one));
            offerUndo(
              t('preferences.saved'),
              ofAllLists((list) => lists[list].density),
            );
          }}
        >
          {t(`preferences.densities.${one}`)}
        </RadioPill>
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
