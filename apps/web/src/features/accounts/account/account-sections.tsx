import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { useCan, useMe } from '../../../shared/session.ts';
import { Avatar } from '../../../shared/ui/avatar.tsx';
import { Badge } from '../../../shared/ui/badge.tsx';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { lazyComponent } from '../../../shared/ui/lazy-component.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { accountsBelowQuery } from '../queries.ts';
import styles from './account.module.css';

const ActivityCard = lazyComponent(
  async () => (await import('../../../shared/activity/activity-card.tsx')).ActivityCard,
  { texts: 'activity', isPart: true },
);

/** Below the figures, a card each. */
export function AccountSections({ account }: { account: Account }) {
  return (
    <>
      <LinesCard account={account} />
      {account.subtree_count > 0 && <BelowCard account={account} />}
      {account.notes && <NotesCard notes={account.notes} />}
      <CreditsCard account={account} />
      <ActivityCard of={{ account: account.id }} />
    </>
  );
}

function LinesCard({ account: { id, line_count } }: { account: Account }) {
  const { t } = useTranslation('account');
  const seesLines = useCan(['view_users']);
  return (
    <Card
      title={t('lines.title')}
      action={
        seesLines &&
        line_count > 0 && (
          <ButtonLink to="/users/all" search={{ owner: id }} size="small">
            {t('lines.open')}
          </ButtonLink>
        )
      }
    >
      <p>{line_count > 0 ? t('lines.count', { count: line_count }) : t('lines.none')}</p>
    </Card>
  );
}

function CreditsCard({ account: { id } }: { account: Account }) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  return (
    <Card
      title={common('nav.credits')}
      action={
        <ButtonLink to="/credits" search={{ account: id }} size="small">
          {t('transfers.open')}
        </ButtonLink>
      }
    >
      <p>{t('transfers.text')}</p>
    </Card>
  );
}

const SHOWN = 5;

/** The newest directly below; the list has them all. */
function BelowCard({ account }: { account: Account }) {
  const { t } = useTranslation(['account', 'accounts']);
  const { is_admin } = useMe();
  const { data } = useQuery(accountsBelowQuery(account.id, SHOWN));
  return (
    <Card
      title={t('below.title')}
      action={
        <ButtonLink
          to={is_admin ? '/resellers' : '/accounts'}
          search={{ owner: account.id }}
          size="small"
        >
          {t('accounts:filter.showAny')}
        </ButtonLink>
      }
    >
      <ul className={styles.below}>
        {data?.items.map(({ id, email, full_name, credits, line_count, status }) => (
          <li key={id}>
            <Avatar name={full_name || email} size={32} />
            <Link to="/accounts/$id" params={{ id }} className="link" title={isolate(email)}>
              <TypedText>{full_name || email}</TypedText>
            </Link>
            <span className={styles.quiet}>{t('below.has', { credits, lines: line_count })}</span>
            <Badge tone={status === 'active' ? 'success' : 'error'}>
              {t(`accounts:status.${status}`)}
            </Badge>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function NotesCard({ notes }: { notes: string }) {
  const { t } = useTranslation();
  return (
    <Card title={t('field.notes')}>
      <p className={styles.notes}>
        <TypedText>{notes}</TypedText>
      </p>
    </Card>
  );
}
