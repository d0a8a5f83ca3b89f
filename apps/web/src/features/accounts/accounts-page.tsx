import { type Account, accountsCsv, sellers } from '@linekeeper/contract/accounts/accounts.ts';
import { UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../shared/browser/use-is-phone.ts';
import { useGroupName } from '../../shared/data/groups.ts';
import { useCan } from '../../shared/data/session.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { column, type ListColumn } from '../../shared/list/columns.tsx';
import { DownloadButton } from '../../shared/list/download-button.tsx';
import { ListPage } from '../../shared/list/list-page.tsx';
import { ListRows } from '../../shared/list/list-rows.tsx';
import type { ListDefinition } from '../../shared/list/use-list.ts';
import type { BadgeTone } from '../../shared/ui/badge.tsx';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { AccountActions } from './account-actions.tsx';
import { AccountName } from './account-name.tsx';
import { useAccountsPlace } from './use-accounts-place.ts';

const statusTones: Record<Account['status'], BadgeTone> = { active: 'success', suspended: 'error' };

interface AccountsPageProps {
  list: ListDefinition<Account>;
  addPath: '/resellers/add' | '/accounts/add';
}

export function AccountsPage({ list, addPath }: AccountsPageProps) {
  const { t } = useTranslation('accounts');
  const { label } = useAccountsPlace();
  const adds = useCan(sellers);
  const isPhone = useIsPhone();
  return (
    // The list always contains the viewer's own account, so there is no first use.
    <ListPage
      list={list}
      header={
        <PageHeader
          title={label}
          actions={
            <>
              {!isPhone && <DownloadButton csv={accountsCsv} />}
              {adds && (
                <ButtonLink to={addPath} variant="solid" icon={<UserPlus aria-hidden="true" />}>
                  {t('addAccount')}
                </ButtonLink>
              )}
            </>
          }
        />
      }
    >
      {(rows) => (
        <ListRows {...rows} columns={columns} Actions={AccountActions} actionsWidth={196} isTall />
      )}
    </ListPage>
  );
}

const columns: ListColumn<Account>[] = [
  column.name('account', (account) => <AccountName account={account} />, {
    sortBy: 'email',
    // Holds most addresses beside a face.
    width: { size: 256, min: 256, scrolled: 240 },
  }),
  column.count('balance', ({ credits }) => credits, { sortBy: 'credits', look: 'strong' }),
  column.count('lines', ({ line_count }) => line_count, { sortBy: 'lines' }),
  column.count('below', ({ subtree_count }) => subtree_count),
  column.status('status', ({ status }) => status, statusTones, { inCard: 'badge' }),
  column.text('group', ({ group_id }) => <GroupName id={group_id} />, {
    inCard: 'bare',
    look: 'typed',
  }),
  column.day('last_sign_in', ({ last_sign_in_at }) => last_sign_in_at, { sortBy: 'last_sign_in' }),
  column.moment('created', ({ created_at }) => created_at, { sortBy: 'created_at' }),
];

function GroupName({ id }: { id: string }) {
  return useGroupName()(id);
}
