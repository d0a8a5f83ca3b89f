import {
  type Account,
  accountsCsv,
  accountsList,
  sellers,
} from '@linekeeper/contract/accounts/accounts.ts';
import { UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { unpagedQuery } from '../../screens/address.ts';
import { addressOfCall } from '../../shared/api/client.ts';
import { useIsPhone } from '../../shared/browser/use-is-phone.ts';
import { useGroupName } from '../../shared/data/groups.ts';
import { useCan } from '../../shared/data/session.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { DownloadButton } from '../../shared/list/download-button.tsx';
import { ListCard } from '../../shared/list/list-body.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import { ListToolbar } from '../../shared/list/list-toolbar.tsx';
import { PagedList } from '../../shared/list/paged-list.tsx';
import type { SizedColumn } from '../../shared/list/table/column.ts';
import { type ListDefinition, ListProvider } from '../../shared/list/use-list.ts';
import { ViewTabs } from '../../shared/list/views/view-tabs.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import { AccountActions } from './account-actions.tsx';
import { AccountName } from './account-name.tsx';
import { useAccountsPlace } from './use-accounts-place.ts';

interface AccountsPageProps {
  list: ListDefinition<Account>;
  addPath: '/resellers/add' | '/accounts/add';
}

export function AccountsPage({ list, addPath }: AccountsPageProps) {
  const { t } = useTranslation('accounts');
  const columns = useColumns();
  const { label } = useAccountsPlace();
  const adds = useCan(sellers);
  const isPhone = useIsPhone();
  return (
    <ListProvider value={list}>
      <PageHeader
        title={label}
        actions={
          <>
            {!isPhone && (
              <DownloadButton
                addressOf={(search) =>
                  addressOfCall(accountsCsv, { query: unpagedQuery(accountsList, search) })
                }
              />
            )}
            {adds && (
              <ButtonLink to={addPath} variant="solid" icon={<UserPlus aria-hidden="true" />}>
                {t('addAccount')}
              </ButtonLink>
            )}
          </>
        }
      />
      <ListCard label={label} hasCards>
        <ViewTabs />
        {/* The list always contains the viewer's own account, so there is no first use. */}
        <PagedList list={list} toolbar={<ListToolbar />} firstUse={null}>
          {(rows) => <ListRows {...rows} columns={columns} isTall />}
        </PagedList>
      </ListCard>
    </ListProvider>
  );
}

function useColumns(): SizedColumn<Account>[] {
  const { t } = useTranslation('accounts');
  const groupName = useGroupName();
  return [
    {
      id: 'account',
      kind: 'name',
      title: t('columns.account'),
      sortBy: 'email',
      cell: (account) => <AccountName account={account} />,
      size: 240,
      minSize: 180,
    },
    {
      id: 'balance',
      title: t('columns.balance'),
      sortBy: 'credits',
      align: 'end',
      look: 'strong',
      cell: ({ credits }) => t('number', { value: credits }),
      size: 100,
    },
    {
      id: 'lines',
      title: t('columns.lines'),
      sortBy: 'lines',
      align: 'end',
      cell: ({ line_count }) => t('number', { value: line_count }),
      size: 80,
    },
    {
      id: 'below',
      title: t('columns.below'),
      align: 'end',
      cell: ({ subtree_count }) => t('number', { value: subtree_count }),
      size: 90,
    },
    {
      id: 'status',
      title: t('columns.status'),
      inCard: 'badge',
      cell: ({ status }) => (
        <Badge tone={status === 'active' ? 'success' : 'error'}>{t(`status.${status}`)}</Badge>
      ),
      size: 100,
    },
    {
      id: 'group',
      title: t('columns.group'),
      inCard: 'bare',
      look: 'typed',
      cell: ({ group_id }) => groupName(group_id),
      size: 122,
    },
    {
      id: 'last_sign_in',
      title: t('columns.last_sign_in'),
      sortBy: 'last_sign_in',
      look: 'quiet',
      cell: ({ last_sign_in_at: at }) => at && <Timestamp value={at} isDay />,
      size: 136,
    },
    {
      id: 'created',
      title: t('columns.created'),
      sortBy: 'created_at',
      look: 'quiet',
      cell: ({ created_at }) => <Timestamp value={created_at} />,
      size: 180,
    },
    {
      id: 'actions',
      kind: 'actions',
      title: t('list.actions'),
      cell: (account) => <AccountActions account={account} />,
      size: 196,
    },
  ];
}
