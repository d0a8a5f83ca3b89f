import { type Language, languages } from '@linekeeper/contract/languages.ts';
import {
  defaultPreferences,
  densities,
  type ListName,
  listNames,
  type PreferenceChanges,
} from '@linekeeper/contract/lists/preferences.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { CoveringInput } from '#kit/ui/controls/covering-input.tsx';
import { RadioPill } from '#kit/ui/controls/pills.tsx';
import { Flag } from '#kit/ui/flag.tsx';
import { Divided, Row, Stack, Strong } from '#kit/ui/vocabulary.tsx';
import { useChooseLanguage } from '#platform/data/account-language.ts';
import { useChangePreferences, usePreferences } from '#platform/data/preferences.ts';
import { languageNames } from '#platform/i18n/languages.ts';
import styles from './settings.module.css';

export function LookCard() {
  const { t } = useTranslation('settings');
  return (
    <Card title={t('look.title')}>
      <Stack gap={24}>
        <LanguageChoice />
        <DensityChoice />
        <ColumnsReset />
      </Stack>
    </Card>
  );
}

function LanguageChoice() {
  const { t, i18n } = useTranslation();
  const name = useId();
  const chooseLanguage = useChooseLanguage();
  const current = i18n.language as Language;
  return (
    <Row as="fieldset" align="stretch" gap={8} wrap className={styles.choices}>
      <legend>{t('language')}</legend>
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
    </Row>
  );
}

/** A change of every list, computed per list. */
function ofAllLists<Part extends object>(partOf: (list: ListName) => Part): PreferenceChanges {
  const lists = listNames.map((list) => [list, partOf(list)]);
  return { lists: Object.fromEntries(lists) };
}

const rowsOf = { comfortable: [1, 2, 3], compact: [1, 2, 3, 4, 5] };

/** Sets the density of all lists; none is marked if the lists differ. */
function DensityChoice() {
  const { t } = useTranslation('settings');
  const name = useId();
  const { lists } = usePreferences();
  const { change, offerUndo } = useChangePreferences();
  return (
    <fieldset className={styles.densities}>
      <legend>{t('look.rows')}</legend>
      {densities.map((density) => (
        <Strong as="label" wraps key={density} className="choice">
          <CoveringInput
            type="radio"
            name={name}
            checked={listNames.every((list) => lists[list].density === density)}
            onChange={() => {
              change(ofAllLists(() => ({ density })));
              offerUndo(
                t('saved'),
                ofAllLists((list) => ({ density: lists[list].density })),
              );
            }}
          />
          {t(`look.densities.${density}`)}
          <Divided as="span" className={styles.rows} data-density={density} aria-hidden="true">
            {rowsOf[density].map((row) => (
              <Row as="span" justify="between" key={row} />
            ))}
          </Divided>
        </Strong>
      ))}
    </fieldset>
  );
}

function ColumnsReset() {
  const { t } = useTranslation('settings');
  const { lists } = usePreferences();
  const { change, offerUndo } = useChangePreferences();
  const columnsOf = (list: ListName) => ({ columns: lists[list].columns });
  const defaultsOf = (list: ListName) => ({ columns: defaultPreferences.lists[list].columns });
  const isDefault = listNames.every(
    (list) => JSON.stringify(columnsOf(list)) === JSON.stringify(defaultsOf(list)),
  );
  return (
    <Row gap="8 16" justify="between" wrap className={styles.columns}>
      <b>{t('look.columns')}</b>
      <Button
        size="small"
        disabled={isDefault}
        onClick={() => {
          change(ofAllLists(defaultsOf));
          offerUndo(t('saved'), ofAllLists(columnsOf));
        }}
      >
        {t('look.resetColumns')}
      </Button>
    </Row>
  );
}
