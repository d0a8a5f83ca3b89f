import { listAccounts } from '@linekeeper/contract/accounts/accounts.ts';
import { type Group, listGroups } from '@linekeeper/contract/accounts/groups.ts';
import { fixedGroups } from '@linekeeper/contract/permissions.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#platform/api/client.ts';
import { fetchAll } from '#platform/api/fetch-all.ts';
import { useCan, useMe } from '#platform/data/session.ts';

/**
 * The query of all groups, over all pages. Its key begins with 'groups', by which events about groups make it stale.
 */
export function everyGroupQuery() {
  return queryOptions({
    queryKey: ['groups', 'every'],
    queryFn: async ({ signal }) =>
      (await fetchAll((query) => call(listGroups, { query }, { signal }))).rows,
  });
}

type NamedGroup = Pick<Group, 'id' | 'name'>;

/**
 * Returns functions that give the name and description of a group. Those of the three fixed groups
 * are translated until someone changes them.
 */
export function useGroupTexts() {
  const { t } = useTranslation('groups');
  const fixedOf = ({ id }: Pick<Group, 'id'>) => fixedGroups.find((fixed) => fixed.id === id);
  return {
    nameOf: (group: NamedGroup) => {
      const fixed = fixedOf(group);
      return fixed?.name === group.name ? t(`fixedName.${fixed.id}`) : group.name;
    },
    descriptionOf: (group: Pick<Group, 'id' | 'description'>) => {
      const fixed = fixedOf(group);
      const isUnchanged = fixed?.description === group.description;
      return isUnchanged ? t(`fixedDescription.${fixed.id}`) : group.description;
    },
  };
}

/** The groups to choose from; only the fixed ones for accounts that may not see groups. */
export function useNamedGroups(): readonly NamedGroup[] {
  const isAllowed = useCan(['view_groups', 'manage_groups']);
  const { data } = useQuery({ ...everyGroupQuery(), enabled: isAllowed });
  return data ?? fixedGroups;
}

/** Returns the name of a group, or its id if the name is unknown. */
export function useGroupName(): (id: string) => string {
  const { nameOf } = useGroupTexts();
  const names = new Map(useNamedGroups().map((group) => [group.id, nameOf(group)]));
  return (id) => names.get(id) ?? id;
}

export function useGroupOptions(): { value: string; label: string }[] {
  const { nameOf } = useGroupTexts();
  return useNamedGroups().map((group) => ({ value: group.id, label: nameOf(group) }));
}

/** The link to the list of a group's members; null for an account that may not see them. */
export function useMembersPlace(): '/resellers' | '/accounts' | null {
  const { is_admin } = useMe();
  const seesAccounts = useCan(listAccounts.access);
  if (is_admin) return '/resellers';
  return seesAccounts ? '/accounts' : null;
}
