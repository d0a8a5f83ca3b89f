import { listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import type { Group } from '@linekeeper/contract/accounts/groups.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Row } from '../../shared/ui/vocabulary.tsx';
import styles from './groups.module.css';
import { useMembersPlace } from './use-members-place.ts';

const FACES = 3;

/** Some members of the group, and a link to all of them. */
export function GroupMembers({ group, isFixed }: { group: Group; isFixed: boolean }) {
  const { t } = useTranslation('groups');
  const { id, member_count: count } = group;
  const place = useMembersPlace();
  const { data: some = [] } = useQuery({
    queryKey: ['accounts', 'members', id],
    meta: { isKept: true },
    queryFn: ({ signal }) =>
      call(listAccounts, { query: { group_id: id, limit: FACES } }, { signal }),
    select: ({ items }) => items,
    placeholderData: keepPreviousData,
    enabled: count > 0 && place !== null,
  });
  if (count === 0)
    return (
      <Row as="p" wrap muted className={styles.members}>
        {t('noMembers')}
      </Row>
    );
  return (
    <Row wrap muted className={styles.members}>
      <span className={styles.faces}>
        {some.map((member) => (
          <Avatar
            key={member.id}
            accountId={member.id}
            name={member.full_name || member.email}
            size={32}
          />
        ))}
      </span>
      {place && (
        <Link to={place} search={{ group: id }}>
          {t('showMembers', { count })}
        </Link>
      )}
      {!isFixed && <small>{t('membersStay')}</small>}
    </Row>
  );
}
