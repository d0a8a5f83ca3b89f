import {
  defaultPreferences,
  editPreferences,
  getPreferences,
  type ListName,
  listNames,
  type PreferenceChanges,
  type Preferences,
} from '@linekeeper/contract/lists/preferences.ts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from './api/client.ts';
import { useErrorText } from './i18n/use-error-text.ts';
import { toast } from './ui/toasts/toast.ts';

export function preferencesQuery() {
  return queryOptions({
    queryKey: ['preferences'],
    queryFn: ({ signal }) => call(getPreferences, {}, { signal }),
    staleTime: 60_000,
  });
}

/** The account's preferences; the defaults while loading or after an error. */
export function usePreferences(): Preferences {
  return useQuery(preferencesQuery()).data ?? defaultPreferences;
}

/** Merges changes into preferences, also within each list. */
export function withChanges(
  before: Preferences,
  { lists = {}, ...changes }: PreferenceChanges,
): Preferences {
  const changed = listNames.map((name): [ListName, object] => [
    name,
    { ...before.lists[name], ...lists[name] },
  ]);
  return {
    ...before,
    ...(changes as Partial<Preferences>),
    lists: Object.fromEntries(changed) as unknown as Preferences['lists'],
  };
}

type Changes = PreferenceChanges;

interface Saving {
  changes: Changes;
  /** Restored if saving fails. */
  before: Preferences;
}

/** Applies changes at once, saves them in the background and reverts them if saving fails. */
export function useChangePreferences() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const { queryKey } = preferencesQuery();
  const { mutate } = useMutation({
    mutationKey: queryKey,
    mutationFn: ({ changes }: Saving) => call(editPreferences, { body: changes }),
    // Saves run one after the other, so that the last choice wins.
    scope: { id: 'preferences' },
    onSuccess: (saved) => {
      // While another save is running, the reply would revert the newer choice.
      const isLast = queryClient.isMutating({ mutationKey: queryKey }) <= 1;
      if (isLast) queryClient.setQueryData(queryKey, saved);
    },
    onError: (error, { before }) => {
      queryClient.setQueryData(queryKey, before);
      toast.error(errorText(error));
    },
  });
  const change = (changes: Changes) => {
    const before = queryClient.getQueryData(queryKey) ?? defaultPreferences;
    void queryClient.cancelQueries({ queryKey }, { revert: false });
    queryClient.setQueryData(queryKey, withChanges(before, changes));
    mutate({ changes, before });
  };
  /** Shows a toast with an Undo button that restores `before`. */
  const offerUndo = (text: string, before: Changes) =>
    toast.info(text, { action: { label: t('action.undo'), onClick: () => change(before) } });
  return { change, offerUndo };
}
