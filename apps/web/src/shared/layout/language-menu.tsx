import type { Language } from '@linekeeper/contract/languages.ts';
import { useTranslation } from 'react-i18next';
import { languageNames } from '../i18n/languages.ts';
import { lazyComponent } from '../start/lazy-component.tsx';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { Flag } from '../ui/flag.tsx';
import { HeaderPopover } from './header-popover.tsx';

export const LanguagePanel = lazyComponent(
  async () => (await import('./language-panel.tsx')).LanguagePanel,
  { isOpen: ({ anchor }) => anchor },
);

export function LanguageMenu() {
  const { t, i18n } = useTranslation();
  return (
    <HeaderPopover
      panel={LanguagePanel}
      trigger={(props) => (
        <IconButton
          label={t('header.language', { language: languageNames[i18n.language as Language] })}
          {...props}
        >
          <Flag language={i18n.language as Language} />
        </IconButton>
      )}
    />
  );
}
