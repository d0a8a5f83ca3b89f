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
import { useChooseLanguage } from '#platform/data/account-language.ts';
import { usePreferences } from '#platform/data/preferences.ts';
import { languageNames } from '#platform/i18n/languages.ts';
import { useSavePreferences } from './use-save-preferences.ts';

export function LookCard() {
  const { t } = useTranslation('settings');
  return (
    <Card title={t('look.title')}>
      <div className="grid grid-cols-1 gap-6">
        <LanguageChoice />
        <DensityChoice />
        <ColumnsReset />
      </div>
    </Card>
  );
}

function LanguageChoice() {
  const { t, i18n } = useTranslation();
  const name = useId();
  const chooseLanguage = useChooseLanguage();
  const current = i18n.language as Language;
  return (
    <fieldset className="flex flex-wrap items-stretch gap-2 [&_legend]:[float:inline-start] [&_legend]:w-full">
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
    </fieldset>
  );
}

/** Preferences that set one value for every list. */
function ofAllLists<Part extends object>(partOf: (list: ListName) => Part): PreferenceChanges {
  const lists = listNames.map((list) => [list, partOf(list)]);
  return { lists: Object.fromEntries(lists) };
}

/** A row of a list, with a name and a badge. */
const ROW =
  'flex items-center justify-between px-2 before:w-[44%] before:h-1.5 before:rounded-[3px] before:bg-divider-strong after:w-9 after:max-w-[30%] after:h-2.5 after:rounded-[4px] after:bg-success-bg';
const rowsOf = { comfortable: [1, 2, 3], compact: [1, 2, 3, 4, 5] };

/** The choice that sets the density of all lists. No option is marked if the lists differ. */
function DensityChoice() {
  const { t } = useTranslation('settings');
  const name = useId();
  const { lists } = usePreferences();
  const save = useSavePreferences();
  return (
    <fieldset className="grid grid-cols-2 gap-y-2 gap-x-3 [&_legend]:col-span-full [&_legend]:[float:inline-start] [&_legend]:w-full [&_label]:relative [&_label]:py-3 [&_label]:px-4">
      <legend>{t('look.rows')}</legend>
      {densities.map((density) => (
        <label key={density} className="choice type-strong min-w-0 wrap-anywhere">
          <CoveringInput
            type="radio"
            name={name}
            checked={listNames.every((list) => lists[list].density === density)}
            onChange={() =>
              save(
                ofAllLists(() => ({ density })),
                ofAllLists((list) => ({ density: lists[list].density })),
              )
            }
          />
          {t(`look.densities.${density}`)}
          <span
            className="divided grid mt-3 border border-divider rounded-[8px] bg-paper overflow-hidden"
            aria-hidden="true"
          >
            {rowsOf[density].map((row) => (
              <span
                className={`${ROW} ${density === 'compact' ? 'h-[15.6px]' : 'h-6.5'}`}
                key={row}
              />
            ))}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function ColumnsReset() {
  const { t } = useTranslation('settings');
  const { lists } = usePreferences();
  const save = useSavePreferences();
  const columnsOf = (list: ListName) => ({ columns: lists[list].columns });
  const defaultsOf = (list: ListName) => ({ columns: defaultPreferences.lists[list].columns });
  const isDefault = listNames.every(
    (list) => JSON.stringify(columnsOf(list)) === JSON.stringify(defaultsOf(list)),
  );
  return (
    <div className="flex items-center flex-wrap justify-between gap-y-2 gap-x-4 [&_b]:block [&_b]:type-strong">
      <b>{t('look.columns')}</b>
      <Button
        size="small"
        disabled={isDefault}
        onClick={() => save(ofAllLists(defaultsOf), ofAllLists(columnsOf))}
      >
        {t('look.resetColumns')}
      </Button>
    </div>
  );
}
