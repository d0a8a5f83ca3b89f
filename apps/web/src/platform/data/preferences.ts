import {
  defaultPreferences,
  editPreferences,
  getPreferences,
  listNames,
  type PreferenceChanges,
  type Preferences,
} from '@linekeeper/contract/lists/preferences.ts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '#platform/api/client.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { createStore } from '#platform/state/create-store.ts';
import { results } from '#platform/state/results.ts';

export function preferencesQuery() {
  return queryOptions({
    queryKey: ['preferences'],
    queryFn: ({ signal }) => call(getPreferences, {}, { signal }),
    staleTime: 60_000,
  });
}

/** Changes that are being saved. They are kept apart from fetched preferences, which may be older. */
const saving = createStore<readonly PreferenceChanges[]>([]);

/**
 * The account's preferences; the defaults while loading or after an error. Changes that are being
 * saved are included, even if older preferences are fetched in the meantime.
 */
export function usePreferences(): Preferences {
  const saved = useQuery(preferencesQuery()).data ?? defaultPreferences;
  return saving.use().reduce(withChanges, saved);
}

/** Merges changes into preferences, also within the mails, the pushes and each list. */
export function withChanges(
  before: Preferences,
  { lists = {}, mails = {}, pushes = {}, ...changes }: PreferenceChanges,
): Preferences {
  const changed = listNames.map((name) => [name, { ...before.lists[name], ...lists[name] }]);
  return {
    ...before,
    ...(changes as Partial<Preferences>),
    mails: { ...before.mails, ...(mails as Partial<Preferences['mails']>) },
    pushes: { ...before.pushes, ...(pushes as Partial<Preferences['pushes']>) },
    lists: Object.fromEntries(changed),
  };
}

/** Saves changes in the background, one after the other, so that the last choice wins. */
export function useChangePreferences() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const { queryKey } = preferencesQuery();
  const { mutate } = useMutation({
    mutationFn: (changes: PreferenceChanges) => call(editPreferences, { body: changes }),
    scope: { id: 'preferences' },
    onSuccess: async (saved) => {
      // A request that was sent before the save may return older preferences after it.
      await queryClient.cancelQueries({ queryKey }, { revert: false });
      queryClient.setQueryData(queryKey, saved);
    },
    onError: (error) => results.error(errorText(error)),
    onSettled: (_saved, _error, changes) =>
      saving.set(saving.get().filter((one) => one !== changes)),
  });
  const change = (changes: PreferenceChanges) => {
    saving.set([...saving.get(), changes]);
    mutate(changes);
  };
  /** Shows a result with an Undo button that restores `before`. */
  const offerUndo = (text: string, before: PreferenceChanges) =>
    results.info(text, {
      action: { label: t('action.undo'), key: 'z', onClick: () => change(before) },
    });
  return { change, offerUndo };
}
