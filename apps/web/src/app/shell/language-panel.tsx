import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MenuItem, MenuList } from '#kit/overlays/menu.tsx';
import { Flag } from '#kit/ui/flag.tsx';
import { useChooseLanguage } from '#platform/data/account-language.ts';
import { languageNames } from '#platform/i18n/languages.ts';
import { HeaderMenuPanel } from './header-panel.tsx';
import type { HeaderPanelProps } from './header-popover.tsx';

export function LanguagePanel(props: HeaderPanelProps) {
  const { t, i18n } = useTranslation();
  const current = i18n.language as Language;
  const chooseLanguage = useChooseLanguage();
  return (
    <HeaderMenuPanel {...props} label={t('language')} width={200}>
      <MenuList aria-label={t('language')}>
        {languages.map((language) => (
          <MenuItem
            key={language}
            role="menuitemradio"
            aria-checked={language === current}
            lang={language}
            onClick={() => {
              props.onClose();
              chooseLanguage(language);
            }}
          >
            <Flag language={language} />
            <span className="flex-1 min-w-0">{languageNames[language]}</span>
            {language === current && <Check size={18} />}
          </MenuItem>
        ))}
      </MenuList>
    </HeaderMenuPanel>
  );
}
