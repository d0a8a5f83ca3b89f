import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountTab } from '../../../screens/account-search.ts';
import { formatCount } from '../../../shared/i18n/format-number.ts';
import { TabBar, TabCount } from '../../../shared/list/views/tab-bar.tsx';
import { accountFiguresQuery } from '../queries.ts';
import { useAccountTabs } from './use-account-tabs.ts';

interface AccountTabsProps {
  account: Account;
  current: AccountTab;
}

/** Room for what fades out at the end. */
const FADE_PX = 48;

/** Moves the tabs sideways alone: the page must stay where it is. */
function showCurrent(nav: HTMLElement | null): void {
  const tab = nav?.querySelector('[data-current]');
  if (!nav || !tab) return;
  const beyond = tab.getBoundingClientRect().right + FADE_PX - nav.getBoundingClientRect().right;
  if (beyond > 0) nav.scrollLeft += beyond;
}

/** The parts of an account's page, as links that leave the page where it is. */
export function AccountTabs({ account: { id, line_count }, current }: AccountTabsProps) {
  const { t, i18n } = useTranslation('account');
  const { data: figures } = useQuery(accountFiguresQuery(id));
  const tabs = useAccountTabs();
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab, or one that numbers moved, may lie outside of a phone
  useEffect(() => showCurrent(nav.current), [current, figures?.transfer_count]);
  const counts: Partial<Record<AccountTab, number | undefined>> = {
    credits: figures?.transfer_count,
    lines: line_count,
  };
  return (
    <TabBar ref={nav} aria-label={t('tabs.label')}>
      {tabs.map((tab) => (
        <Link
          key={tab}
          to="/accounts/$id"
          params={{ id }}
          search={tab === 'overview' ? {} : { tab }}
          resetScroll={false}
          activeOptions={{ exact: true }}
          aria-current={tab === current ? 'page' : undefined}
          data-current={tab === current || undefined}
        >
          {t(`tabs.${tab}`)}
          {tab in counts && (
            <TabCount isLate>
              {counts[tab] !== undefined && formatCount(counts[tab], i18n.language)}
            </TabCount>
          )}
        </Link>
      ))}
    </TabBar>
  );
}
