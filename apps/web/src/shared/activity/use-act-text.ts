import { useTranslation } from 'react-i18next';

/** Names an audit action; one that only another version knows stays as it is. */
export function useActText(): (action: string) => string {
  const { t, i18n } = useTranslation('activity');
  return (action) => {
    const key = `activity:actions.${action}`;
    return i18n.exists(key) ? t(`actions.${action}` as 'actions.line.create') : action;
  };
}
