import { type Language, languages } from '@linekeeper/contract/languages.ts';
import MenuItem from '@mui/material/MenuItem';
import MenuList from '@mui/material/MenuList';
import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useChooseLanguage } from '../account-language.ts';
import { languageNames } from '../i18n/languages.ts';
import { Flag } from '../ui/flag.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import styles from './header.module.css';
import { HeaderPopover } from './header-popover.tsx';

export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  const current = i18n.language as Language;
  const chooseLanguage = useChooseLanguage();
  return (
    <HeaderPopover
      label={t('language')}
      width={200}
      trigger={(props) => (
        <IconButton label={t('header.language', { language: languageNames[current] })} {...props}>
          <Flag language={current} />
        </IconButton>
      )}
    >
      {(close) => (
        <MenuList
          autoFocusItem
          disablePadding
          aria-label={t('language')}
          onKeyDown={closeOnTab(close)}
        >
          {languages.map((language) => (
            <MenuItem
              key={language}
              role="menuitemradio"
              aria-checked={language === current}
              selected={language === current}
              lang={language}
              onClick={() => {
                close();
                chooseLanguage(language);
              }}
            >
              <Flag language={language} />
              <span className={styles.grow}>{languageNames[language]}</span>
              {language === current && <Check size={18} aria-hidden="true" />}
            </MenuItem>
          ))}
        </MenuList>
      )}
    </HeaderPopover>
  );
}

/** A menu is left with Tab, as with Escape. */
export function closeOnTab(close: () => void) {
  return (event: React.KeyboardEvent) => {
    if (event.key !== 'Tab') return;
    event.preventDefault();
    close();
  };
}
