import { useTranslation } from 'react-i18next';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The name of the control key in the attribute `aria-keyshortcuts`, where a Mac's is called Meta. */
export const CONTROL_KEY = isMac ? 'Meta' : 'Control';

/** The label printed on the key: ⌘ on Apple keyboards, Strg on German ones. */
export function useControlKey(): string {
  const { t } = useTranslation();
  return isMac ? '⌘' : t('shortcuts.control');
}
