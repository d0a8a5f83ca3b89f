import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { accountQuery } from '#domain/accounts/accounts.ts';
import { useGroupName } from '#domain/accounts/groups.ts';
import { accountsBelowQuery } from '#features/accounts/queries.ts';
import { AS_ABOVE, usePriceLists } from '#features/accounts/use-price-lists.ts';
import { Avatar } from '#kit/ui/avatar.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { SummaryRows } from '#kit/ui/summary-rows.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { isolate } from '#platform/i18n/isolate.ts';

export function OverviewTab({ account }: { account: Account }) {
  const { notes, subtree_count } = account;
  return (
    <div className="grid gap-(--card-pad) p-(--card-pad) phone:mt-4 phone:rounded-card phone:bg-paper phone:shadow-card grid-cols-[repeat(auto-fit,minmax(min(100%,360px),1fr))] items-start">
      <div className="grid gap-6 min-w-0">
        <Facts account={account} />
        {notes && <Notes notes={notes} />}
      </div>
      {subtree_count > 0 && <Below account={account} />}
    </div>
  );
}

/** The account above the shown one; undefined if the signed-in account may not see it. */
export function useOwner({ owner_id }: Account) {
  const { is_admin, id } = useMe();
  const isAsked = owner_id !== null && (is_admin || owner_id !== id);
  const asked = { ...accountQuery(owner_id ?? ''), enabled: isAsked, retry: false };
  return useQuery(asked).data;
}

function Facts({ account }: { account: Account }) {
  const { t } = useTranslation(['account', 'accounts']);
  const groupName = useGroupName();
  const owner = useOwner(account);
  const priceLists = usePriceLists(account);
  const { email, username, group_id, price_list_id, created_at, last_sign_in_at } = account;
  const priceList = priceLists.find(({ value }) => value === (price_list_id ?? AS_ABOVE));
  return (
    <section>
      <h2 className="mb-3">{t('facts')}</h2>
      <SummaryRows
        look="facts"
        rows={[
          { label: t('field.email'), value: <TypedText>{email}</TypedText> },
          { label: t('field.username'), value: <TypedText>{username}</TypedText> },
          { label: t('field.group'), value: groupName(group_id) },
          ...(owner
            ? [
                {
                  label: t('field.owner'),
                  value: (
                    <Link to="/accounts/$id" params={{ id: owner.id }} className="link">
                      <TypedText>{owner.full_name || owner.email}</TypedText>
                    </Link>
                  ),
                },
              ]
            : []),
          ...(priceList
            ? [{ label: t('credits.list'), value: <TypedText>{priceList.label}</TypedText> }]
            : []),
          { label: t('field.created'), value: <Timestamp value={created_at} /> },
          {
            label: t('accounts:columns.last_sign_in'),
            value: last_sign_in_at ? <Timestamp value={last_sign_in_at} /> : '–',
          },
        ]}
      />
    </section>
  );
}

function Notes({ notes }: { notes: string }) {
  const { t } = useTranslation();
  return (
    <section>
      <h2 className="mb-3">{t('field.notes')}</h2>
      <p className="whitespace-pre-wrap wrap-anywhere">
        <TypedText>{notes}</TypedText>
      </p>
    </section>
  );
}

const SHOWN = 5;

/** The newest accounts directly below, with a link to the list of all. */
function Below({ account }: { account: Account }) {
  const { t } = useTranslation(['account', 'accounts']);
  const { is_admin } = useMe();
  const { data } = useQuery(accountsBelowQuery(account.id, SHOWN));
  return (
    <section>
      <div className="flex items-center flex-wrap justify-between gap-2 mb-3 [&>h2]:m-0">
        <h2 className="mb-3">{t('below.title')}</h2>
        <ButtonLink
          to={is_admin ? '/resellers' : '/accounts'}
          search={{ owner: account.id }}
          size="small"
        >
          {t('recurring.show')}
        </ButtonLink>
      </div>
      <ul className="grid grid-cols-1 gap-3 [&>li]:min-w-0 [&_a]:min-w-0 [&_a]:wrap-anywhere">
        {data?.items.map(({ id, email, full_name, credits, line_count, status }) => (
          <li className="flex items-center flex-wrap gap-y-1 gap-x-3" key={id}>
            <Avatar accountId={id} name={full_name || email} size={32} />
            <Link to="/accounts/$id" params={{ id }} className="link" title={isolate(email)}>
              <TypedText>{full_name || email}</TypedText>
            </Link>
            <span className="text-text-2">{t('below.has', { credits, lines: line_count })}</span>
            {status !== 'active' && <Badge tone="error">{t(`accounts:status.${status}`)}</Badge>}
          </li>
        ))}
      </ul>
    </section>
  );
}
