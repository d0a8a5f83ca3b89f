import { listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import type { Group } from '@linekeeper/contract/accounts/groups.ts';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Lock, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useGroupTexts } from '../../shared/data/groups.ts';
import { useCan, useMe } from '../../shared/data/session.ts';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { Caption, Divided, Row } from '../../shared/ui/vocabulary.tsx';
import { isFixed } from './group-fields.ts';
import styles from './group-links.module.css';

/** The groups one below the other: each leads to itself, and its number to its members. */
export function GroupLinks({ groups, isInert }: { groups: readonly Group[]; isInert?: boolean }) {
  return (
    <Divided className={styles.links} inert={isInert}>
      {groups.map((group) => (
        <GroupLink key={group.id} group={group} />
      ))}
    </Divided>
  );
}

function GroupLink({ group }: { group: Group }) {
  const { t } = useTranslation('groups');
  const { nameOf, descriptionOf } = useGroupTexts();
  const { id, permissions, member_count: count } = group;
  const description = descriptionOf(group);
  return (
    <Row as="li" gap={12}>
      <Caption as="div" grow wraps>
        <Row gap="0 8" as="p" wrap className={styles.name}>
          <Link to="/manage-groups/$id" params={{ id }} className="covers">
            <TypedText>{nameOf(group)}</TypedText>
          </Link>
          {isFixed(id) && (
            <Row as="span" inline gap={4}>
              <Lock size={12} aria-hidden="true" />
              {t('fixed')}
            </Row>
          )}
        </Row>
        {description && (
          <p>
            <TypedText>{description}</TypedText>
          </p>
        )}
        <p>
          {permissions.length > 0
            ? t('permissionCount', { count: permissions.length })
            : t('noPermissions')}
        </p>
      </Caption>
      <MemberCount id={id} count={count} name={nameOf(group)} />
      <ChevronRight className={styles.chevron} size={16} aria-hidden="true" />
    </Row>
  );
}

function MemberCount({ id, count, name }: { id: string; count: number; name: string }) {
  const { t } = useTranslation('groups');
  const place = useMembersPlace();
  const content = (
    <>
      <b>{t('number', { value: count })}</b> <span>{t('members', { count })}</span>
    </>
  );
  if (count === 0 || !place) return <span className={styles.count}>{content}</span>;
  return (
    <Link
      to={place}
      search={{ group: id }}
      className={styles.count}
      aria-label={t('membersOf', { count, name })}
    >
      {content}
    </Link>
  );
}

const SKELETON_ROWS = ['a', 'b', 'c'];

/** Grey rows of the real ones' size. */
export function GroupsSkeleton({ isVisible }: { isVisible: boolean }) {
  return (
    <Divided className={styles.links} aria-hidden="true" data-skeleton={isVisible || undefined}>
      {SKELETON_ROWS.map((row) => (
        <Row as="li" gap={12} key={row} />
      ))}
    </Divided>
  );
}

export function AddGroupLink() {
  const { t } = useTranslation('groups');
  if (!useCan(['manage_groups'])) return null;
  return (
    <ButtonLink to="/manage-groups/add" icon={<Plus aria-hidden="true" />}>
      {t('addGroup')}
    </ButtonLink>
  );
}

/** The list that shows a group's members; null for those who see no accounts. */
export function useMembersPlace(): '/resellers' | '/accounts' | null {
  const { is_admin } = useMe();
  const seesAccounts = useCan(listAccounts.access);
  if (is_admin) return '/resellers';
  return seesAccounts ? '/accounts' : null;
}
