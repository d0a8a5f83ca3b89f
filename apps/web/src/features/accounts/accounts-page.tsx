import { type Account, accountsCsv, sellers } from '@linekeeper/contract/accounts/accounts.ts';
import { Link } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useGroupName } from '#domain/accounts/groups.ts';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { DownloadButton } from '#kit/list/download-button.tsx';
import { ListPage } from '#kit/list/list-page.tsx';
import { TwoLineCell } from '#kit/list/two-line-cell.tsx';
import { type ListDefinition, useListSearch } from '#kit/list/use-list.ts';
import { Avatar } from '#kit/ui/avatar.tsx';
import type { BadgeTone } from '#kit/ui/badge.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Highlight } from '#kit/ui/highlight.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useCan } from '#platform/data/session.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { AccountActions } from './account-actions.tsx';
import { useAccountsPlace } from './use-accounts-place.ts';

/** Name and address, with the text of the search marked in both. */
function AccountName({ account: { id, full_name, email } }: { account: Account }) {
  const q = useListSearch().search.q?.trim() ?? '';
  return (
    <TwoLineCell
      lead={<Avatar accountId={id} name={full_name || email} />}
      first={
        <Link to="/accounts/$id" params={{ id }} title={isolate(full_name || email)}>
          <Highlight text={full_name || email} part={q} />
        </Link>
      }
      second={
        full_name && (
          <small title={isolate(email)}>
            <Highlight text={email} part={q} />
          </small>
        )
      }
    />
  );
}

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
      title={label}
      actions={!isPhone && <DownloadButton csv={accountsCsv} />}
      add={
        adds && (
          <ButtonLink to={addPath} variant="solid" icon={<UserPlus aria-hidden="true" />}>
            {t('nav.addAccount')}
          </ButtonLink>
        )
      }
      columns={columns}
      Actions={AccountActions}
      actionsWidth={196}
      isTall
    />
  );
}

const columns: ListColumn<Account>[] = [
  column.name('account', (account) => <AccountName account={account} />, {
    sortBy: 'email',
    // This width fits most addresses beside initials, so that they are not cut off while other
    // columns have room to spare.
    width: { size: 304, min: 256, scrolled: 280 },
  }),
  column.count('balance', ({ credits }) => credits, { sortBy: 'credits', look: 'strong' }),
  column.count('lines', ({ line_count }) => line_count, {
    sortBy: 'lines',
    width: { size: 80, min: 68 },
  }),
  column.count('below', ({ subtree_count }) => subtree_count),
  column.status('status', ({ status }) => status, statusTones, { inCard: 'badge' }),
  column.text('group', ({ group_id }) => <GroupName id={group_id} />, {
    inCard: 'bare',
    look: 'typed',
    width: { size: 136, min: 120, max: 160 },
  }),
  column.day('last_sign_in', ({ last_sign_in_at }) => last_sign_in_at, { sortBy: 'last_sign_in' }),
  column.moment('created', ({ created_at }) => created_at, { sortBy: 'created_at' }),
];

function GroupName({ id }: { id: string }) {
  return useGroupName()(id);
}
