import {
  defaultPreferences,
  editPreferences,
  getPreferences,
  type Preferences,
} from '@linekeeper/contract/preferences.ts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from './api/client.ts';
import { useErrorText } from './i18n/use-error-text.ts';
import { toast } from './ui/toast.ts';

export function preferencesQuery() {
  return queryOptions({
    queryKey: ['preferences'],
    queryFn: ({ signal }) => call(getPreferences, {}, { signal }),
    staleTime: 60_000,
  });
}

/** What the account prefers; the defaults where the panel does not answer. */
export function usePreferences(): Preferences {
  return useQuery(preferencesQuery()).data ?? defaultPreferences;
}

type Changes = Partial<Preferences>;

interface Saving {
  changes: Changes;
  /** What was there, for the case that saving fails. */
  before: Preferences;
}

/** Shown at once, saved behind it, and put back where saving fails. */
export function useChangePreferences() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const { queryKey } = preferencesQuery();
  const { mutate } = useMutation({
    mutationKey: queryKey,
    mutationFn: ({ changes }: Saving) => call(editPreferences, { body: changes }),
    // One after the other: the last choice is the one that stays.
    scope: { id: 'preferences' },
    onSuccess: (saved) => {
      // What was chosen meanwhile is not saved yet, and stays on the screen.
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
    queryClient.setQueryData(queryKey, { ...before, ...changes });
    mutate({ changes, before });
  };
  /** Says what was changed and offers to put it back. */
  const offerUndo = (text: string, before: Changes) =>
    toast.info(text, { action: { label: t('action.undo'), onClick: () => change(before) } });
  return { change, offerUndo };
}
