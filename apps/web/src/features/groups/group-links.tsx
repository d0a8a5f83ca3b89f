import type { Group } from '@linekeeper/contract/accounts/groups.ts';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useGroupTexts, useMembersPlace } from '#domain/accounts/groups.ts';
import { LinkedRows } from '#kit/list/linked-rows.tsx';
import type { ShownRows } from '#kit/list/list-rows.tsx';
import { AddLink } from '#kit/ui/buttons/button-link.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Caption, Row } from '#kit/ui/vocabulary.tsx';
import { useCan } from '#platform/data/session.ts';
import { isFixed } from './group-fields.ts';
import styles from './group-links.module.css';

/** The groups one below the other: each leads to itself, and its number to its members. */
export function GroupLinks(rows: ShownRows<Group>) {
  return (
    <LinkedRows {...rows} className={styles.links} placeholders={3}>
      {(group) => <GroupLink group={group} />}
    </LinkedRows>
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

export function AddGroupLink() {
  const { t } = useTranslation('groups');
  if (!useCan(['manage_groups'])) return null;
  return (
    <AddLink to="/manage-groups/add" variant="outlined">
      {t('addGroup')}
    </AddLink>
  );
}
