import type { PreferenceChanges } from '@linekeeper/contract/lists/preferences.ts';
import { useTranslation } from 'react-i18next';
import { useChangePreferences } from '#platform/data/preferences.ts';

/** Returns a function that changes preferences, and offers to restore those from before. */
export function useSavePreferences() {
  const { t } = useTranslation('settings');
  const { change, offerUndo } = useChangePreferences();
  return (changes: PreferenceChanges, before: PreferenceChanges) => {
    change(changes);
    offerUndo(t('saved'), before);
  };
}
