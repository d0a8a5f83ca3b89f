import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Coins, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/client.ts';
import { formatDate } from '../../../shared/format-moment.ts';
import { accountQuery } from '../../../shared/forms/pickers/use-account.ts';
import { useGroupName } from '../../../shared/groups.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { useMe } from '../../../shared/session.ts';
import { Avatar } from '../../../shared/ui/avatar.tsx';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { PageHeader } from '../../../shared/ui/page-header.tsx';
import { FailedPanel } from '../../../shared/ui/states/failed-panel.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import { AccountDialog, AccountMenuButton } from '../account-actions.tsx';
import { type AccountAct, accountActs } from '../account-acts.ts';
import styles from './account.module.css';
import { AccountFiguresTiles } from './account-figures.tsx';
import { AccountSections } from './account-sections.tsx';

/** The list that an account is found in: administrators have another. */
function useListLink() {
  const { t } = useTranslation('accounts');
  const { is_admin } = useMe();
  return is_admin
    ? ({ to: '/resellers', label: t('title') } as const)
    : ({ to: '/accounts', label: t('mine') } as const);
}

export function AccountPage() {
  const { t } = useTranslation('account');
  const { id } = useParams({ from: '/shell/accounts/$id' });
  const list = useListLink();
  const { data: account, error, isPending, refetch } = useQuery(accountQuery(id));
  if (account && !isGone(error)) return <AccountView key={id} account={account} />;
  return (
    <>
      <PageHeader title={t('title')} back={list} />
      {!isPending && (
        <Card>
          {isGone(error) ? (
            <FailedPanel
              error={error}
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

/** Missing, or moved out of the reader's subtree; a retry would not help. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && [400, 403, 404, 422].includes(error.status);
}

function AccountView({ account }: { account: Account }) {
  const { t } = useTranslation('accounts');
  const groupName = useGroupName();
  const [asked, setAsked] = useState<AccountAct | null>(null);
  const name = account.full_name || account.email;
  return (
    <>
      <PageHeader
        title={isolate(name)}
        back={useListLink()}
        lead={<Avatar name={name} />}
        badges={
          <>
            <Badge tone={account.banned ? 'error' : 'success'}>
              {t(`status.${account.status}`)}
            </Badge>
            <Badge tone="neutral">{groupName(account.group_id)}</Badge>
          </>
        }
        text={<AboutAccount account={account} />}
        actions={<PageActions account={account} onChoose={setAsked} />}
      />
      <div className={styles.page}>
        <AccountFiguresTiles account={account} />
        <AccountSections account={account} />
      </div>
      {asked && <AccountDialog account={account} act={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function AboutAccount({ account: { email, created_at, owner_id } }: { account: Account }) {
  const { t, i18n } = useTranslation('account');
  const { is_admin, id } = useMe();
  const isAsked = owner_id !== null && (is_admin || owner_id !== id);
  const { data: owner } = useQuery({
    ...accountQuery(owner_id ?? ''),
    enabled: isAsked,
    retry: false,
  });
  const parts = [
    t('since', { day: formatDate(created_at, i18n.language) }),
    owner && t('belowOf', { name: isolate(owner.full_name || owner.email) }),
  ];
  return (
    <>
      {isolate(email)}
      <span className="only-wide"> · {parts.filter(Boolean).join(' · ')}</span>
    </>
  );
}

interface PageActionsProps {
  account: Account;
  onChoose: (act: AccountAct) => void;
}

function PageActions({ account, onChoose }: PageActionsProps) {
  const { t } = useTranslation(['account', 'accounts']);
  const blocked = useNeedsConnection();
  const acts = accountActs(account, useMe());
  return (
    <span className={styles.actions}>
      {acts.includes('takeBack') && (
        <Button
          icon={<Undo2 aria-hidden="true" />}
          blocked={blocked}
          onClick={() => onChoose('takeBack')}
        >
          {t('takeBack.short')}
        </Button>
      )}
      {acts.includes('addCredits') && (
        <Button
          variant="solid"
          icon={<Coins aria-hidden="true" />}
          blocked={blocked}
          onClick={() => onChoose('addCredits')}
        >
          {t('give')}
        </Button>
      )}
      {acts.length > 0 && <AccountMenuButton account={account} onChoose={onChoose} />}
    </span>
  );
}
