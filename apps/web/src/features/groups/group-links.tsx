import type { Group } from '@linekeeper/contract/accounts/groups.ts';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useGroupTexts, useMembersPlace } from '#domain/accounts/groups.ts';
import { LinkedRows } from '#kit/list/linked-rows.tsx';
import type { ShownRows } from '#kit/list/list-rows.tsx';
import { AddLink } from '#kit/ui/buttons/button-link.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useCan } from '#platform/data/session.ts';
import { isFixed } from './group-fields.ts';

/** The list of groups, each with a link to the group and one to its members. */
export function GroupLinks(rows: ShownRows<Group>) {
  return (
    <LinkedRows
      {...rows}
      className="[--placeholder-at:24px_50%] [&>li]:min-h-20 [&>li]:py-4 [&>li]:px-6 [&>li+li]:border-t [&>li+li]:border-t-divider phone:[&>li]:py-3 phone:[&>li]:px-4"
      placeholders={3}
    >
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
    <li className="flex items-center gap-3">
      <div className="flex-1 text-text-2 type-caption min-w-0 wrap-anywhere">
        <p className="flex items-center flex-wrap gap-y-0 gap-x-2 [&_a]:text-text [&_a]:type-strong">
          <Link to="/manage-groups/$id" params={{ id }} className="covers">
            <TypedText>{nameOf(group)}</TypedText>
          </Link>
          {isFixed(id) && (
            <span className="inline-flex items-center gap-1">
              <Lock size={12} aria-hidden="true" />
              {t('fixed')}
            </span>
          )}
        </p>
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
      </div>
      <MemberCount id={id} count={count} name={nameOf(group)} />
      <ChevronRight className="flex-none above-phone:hidden" size={16} aria-hidden="true" />
    </li>
  );
}

const COUNT =
  'relative z-1 grid justify-items-end min-w-11 py-1 px-0 text-text-2 type-caption no-underline [&_b]:text-text [&_b]:type-strong [a&]:hover:underline';

function MemberCount({ id, count, name }: { id: string; count: number; name: string }) {
  const { t } = useTranslation('groups');
  const place = useMembersPlace();
  const content = (
    <>
      <b>{t('number', { value: count })}</b> <span>{t('members', { count })}</span>
    </>
  );
  if (count === 0 || !place) return <span className={COUNT}>{content}</span>;
  return (
    <Link
      to={place}
      search={{ group: id }}
      className={COUNT}
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
      {t('nav.addGroup')}
    </AddLink>
  );
}
