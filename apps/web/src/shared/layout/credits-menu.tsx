import { ChevronDown, Coins } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../data/session.ts';
import { formatNumber } from '../i18n/format-number.ts';
import { lazyComponent } from '../start/lazy-component.tsx';
import styles from './header.module.css';
import { HeaderPopover } from './header-popover.tsx';

export const CreditsPanel = lazyComponent(
  async () => (await import('./credits-panel.tsx')).CreditsPanel,
  {
    isOpen: ({ anchor }) => anchor,
  },
);

/** Button with the balance, which opens the price list. */
export function CreditsMenu() {
  const { t, i18n } = useTranslation();
  const { credits } = useMe();
  return (
    <HeaderPopover
      panel={CreditsPanel}
      trigger={(props) => (
        <button type="button" className={styles.credits} {...props}>
          <Coins size={18} aria-hidden="true" />
          <span>
            {formatNumber(credits, i18n.language)}
            <span className={styles.creditsWord}> {t('credits.unit', { count: credits })}</span>
          </span>
          <ChevronDown size={16} aria-hidden="true" />
        </button>
      )}
    />
  );
}
