import type { Account, AccountAct } from '@linekeeper/contract/accounts/accounts.ts';
import { accountActivity } from '@linekeeper/contract/activity.ts';
import { type Access, can } from '@linekeeper/contract/permissions.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { Coins, Undo2, UserX } from 'lucide-react';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { accountQuery } from '#domain/accounts/accounts.ts';
import { useGroupName } from '#domain/accounts/groups.ts';
import { AccountDialog, AccountMenuButton } from '#features/accounts/account-actions.tsx';
import { actsAtOnce } from '#features/accounts/account-acts.ts';
import { accountFiguresQuery } from '#features/accounts/queries.ts';
import { useAccountsPlace } from '#features/accounts/use-accounts-place.ts';
import { ListCard } from '#kit/list/list-body.tsx';
import { TabBar, TabCount, TabLink } from '#kit/list/views/tab-bar.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Avatar } from '#kit/ui/avatar.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { isGone } from '#platform/api/client.ts';
import { useMe } from '#platform/data/session.ts';
import { formatDate } from '#platform/format/format-moment.ts';
import { formatCount } from '#platform/i18n/format-number.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { type AccountTab, accountTabs } from '#screens/account-search.ts';
import { AccountFiguresTiles } from './account-figures.tsx';
import { OverviewTab, useOwner } from './overview-tab.tsx';

export function AccountPage() {
  const { t } = useTranslation('account');
  const { id } = useParams({ from: '/shell/accounts/$id' });
  const list = useAccountsPlace();
  const { data: account, error, refetch } = useQuery(accountQuery(id));
  if (account && !isGone(error)) return <AccountView key={id} account={account} />;
  return (
    <>
      <PageHeader title={t('field.account')} back={list} />
      {error && (
        <Card>
          {isGone(error) ? (
            <EmptyPanel
              icon={<UserX />}
              title={t('notFound.title')}
              text={t('notFound.text')}
              action={
                <ButtonLink to={list.to} variant="solid">
                  {list.label}
                </ButtonLink>
              }
            />
          ) : (
            <FailedPanel error={error} onRetry={refetch} />
          )}
        </Card>
      )}
    </>
  );
}

const CreditsTab = lazyPart(() => import('./credits-tab.tsx'), 'CreditsTab', {
  texts: 'credits',
});
const LinesTab = lazyPart(() => import('./lines-tab.tsx'), 'LinesTab', {
  texts: 'lines',
});
const LimitsTab = lazyPart(() => import('./limits/limits-tab.tsx'), 'LimitsTab', {
  texts: 'account',
});
const ActivityTab = lazyPart(() => import('./activity-tab.tsx'), 'ActivityTab', {
  texts: 'activity',
});

const tabs = {
  overview: OverviewTab,
  credits: CreditsTab,
  lines: LinesTab,
  limits: LimitsTab,
  activity: ActivityTab,
} satisfies Record<AccountTab, ComponentType<{ account: Account }>>;

/** The tabs below the figures. A list and the activity leave the figures' room to their rows. */
const belowFigures: readonly AccountTab[] = ['overview', 'credits'];

function AccountView({ account }: { account: Account }) {
  const { t } = useTranslation(['account', 'accounts']);
  const groupName = useGroupName();
  const [asked, setAsked] = useState<AccountAct | null>(null);
  const { tab: wanted = 'overview', cursor } = useSearch({ from: '/shell/accounts/$id' });
  // An address may name a tab that is closed to its reader.
  const tab = useAccountTabs(account).includes(wanted) ? wanted : 'overview';
  const card = useRef<HTMLDivElement>(null);
  const name = account.full_name || account.email;
  const Tab = tabs[tab];
  // biome-ignore lint/correctness/useExhaustiveDependencies: `cursor` scrolls to the top of each new page of the list
  useEffect(() => {
    if ((card.current?.getBoundingClientRect().top ?? 0) < 0) card.current?.scrollIntoView();
  }, [cursor]);
  return (
    <>
      <PageHeader
        title={isolate(name)}
        back={useAccountsPlace()}
        lead={<Avatar accountId={account.id} name={name} />}
        badges={
          // On a phone the padding leaves room for the menu at the end of this row.
          <span className="flex flex-wrap gap-x-3 gap-y-1 phone:pe-8">
            {account.banned && <Badge tone="error">{t('accounts:status.suspended')}</Badge>}
            <Badge tone="neutral">{groupName(account.group_id)}</Badge>
          </span>
        }
        text={<AboutAccount account={account} />}
        actions={<PageActions account={account} onChoose={setAsked} />}
      />
      <div className="grid grid-cols-1 gap-6 phone:gap-2">
        {belowFigures.includes(tab) && <AccountFiguresTiles account={account} />}
        <div ref={card} className="scroll-mt-[calc(var(--header)_+_16px)]">
          <ListCard label={t(tabTexts[tab])} hasCards>
            <AccountTabs account={account} current={tab} />
            <Tab account={account} />
          </ListCard>
        </div>
      </div>
      {asked && <AccountDialog account={account} act={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function AboutAccount({ account }: { account: Account }) {
  const { t, i18n } = useTranslation('account');
  const owner = useOwner(account);
  const parts = [
    t('since', { day: formatDate(account.created_at, i18n.language) }),
    owner && t('belowOf', { name: owner.full_name || owner.email }),
  ];
  return (
    <>
      {isolate(account.email)}
      <span className="only-wide"> · {parts.filter(Boolean).join(' · ')}</span>
    </>
  );
}

interface PageActionsProps {
  account: Account;
  onChoose: (act: AccountAct) => void;
}

const BUTTONS =
  'phone:[&>button]:flex-auto small-phone:[&>button:not([aria-haspopup])]:px-2 small-phone:[&>button:not([aria-haspopup])]:[&>svg]:hidden';
/** The place of the menu; on a phone, the corner of the page's head. */
const MENU =
  'phone:[&>[aria-haspopup]]:absolute phone:[&>[aria-haspopup]]:[inset-block-start:0] phone:[&>[aria-haspopup]]:end-0';

function PageActions({ account, onChoose }: PageActionsProps) {
  const { t } = useTranslation(['account', 'accounts']);
  const acts = actsAtOnce(account);
  return (
    <span className={`flex items-center flex-wrap gap-2 w-full ${BUTTONS} ${MENU}`}>
      {acts.includes('takeBack') && (
        <Button icon={<Undo2 />} onClick={() => onChoose('takeBack')}>
          {t('takeBack.short')}
        </Button>
      )}
      {acts.includes('addCredits') && (
        <Button variant="solid" icon={<Coins />} onClick={() => onChoose('addCredits')}>
          {t('credits.add')}
        </Button>
      )}
      {acts.length > 0 && <AccountMenuButton account={account} onChoose={onChoose} />}
    </span>
  );
}

interface AccountTabsProps {
  account: Account;
  current: AccountTab;
}

/** The parts of an account's page, as links that leave the page where it is. */
function AccountTabs({ account, current }: AccountTabsProps) {
  const { t, i18n } = useTranslation('account');
  const { id, line_count } = account;
  const { data: figures } = useQuery(accountFiguresQuery(id));
  const tabs = useAccountTabs(account);
  const counts: Partial<Record<AccountTab, number | undefined>> = {
    credits: figures?.transfer_count,
    lines: line_count,
  };
  return (
    <TabBar aria-label={t('tabs.label')}>
      {tabs.map((tab) => (
        <TabLink
          key={tab}
          to="/accounts/$id"
          params={{ id }}
          search={tab === 'overview' ? {} : { tab }}
          resetScroll={false}
          activeOptions={{ exact: true }}
          isCurrent={tab === current}
        >
          {t(tabTexts[tab])}
          {tab in counts && (
            <TabCount isLate>
              {counts[tab] !== undefined && formatCount(counts[tab], i18n.language)}
            </TabCount>
          )}
        </TabLink>
      ))}
    </TabBar>
  );
}

const tabTexts = {
  overview: 'recurring.overview',
  credits: 'nav.credits',
  lines: 'nav.lines',
  limits: 'limits.title',
  activity: 'field.activity',
} as const satisfies Record<AccountTab, string>;

const access: Record<AccountTab, Access> = {
  overview: 'account',
  credits: 'account',
  lines: ['view_users'],
  limits: 'account',
  activity: accountActivity.access,
};

function useAccountTabs({ id, is_admin, may }: Account): readonly AccountTab[] {
  const me = useMe();
  // An account cannot limit itself, and limits have no effect on administrators.
  const takesLimits = may.includes('edit') && id !== me.id && !is_admin;
  return accountTabs.filter((tab) => can(me, access[tab]) && (tab !== 'limits' || takesLimits));
}
