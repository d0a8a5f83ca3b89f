import { type Language, languages } from '@linekeeper/contract/languages.ts';
import MenuItem from '@mui/material/MenuItem';
import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Flag } from '#kit/ui/flag.tsx';
import { Text } from '#kit/ui/vocabulary.tsx';
import { useChooseLanguage } from '#platform/data/account-language.ts';
import { languageNames } from '#platform/i18n/languages.ts';
import { HeaderPanel, PanelMenu } from './header-panel.tsx';
import type { HeaderPanelProps } from './header-popover.tsx';

export function LanguagePanel(props: HeaderPanelProps) {
  const { t, i18n } = useTranslation();
  const current = i18n.language as Language;
  const chooseLanguage = useChooseLanguage();
  return (
    <HeaderPanel {...props} label={t('language')} width={200}>
      <PanelMenu label={t('language')} onClose={props.onClose}>
        {languages.map((language) => (
          <MenuItem
            key={language}
            role="menuitemradio"
            aria-checked={language === current}
            selected={language === current}
            lang={language}
            onClick={() => {
              props.onClose();
              chooseLanguage(language);
            }}
          >
            <Flag language={language} />
            <Text grow>{languageNames[language]}</Text>
            {language === current && <Check size={18} />}
          </MenuItem>
        ))}
      </PanelMenu>
    </HeaderPanel>
  );
}
