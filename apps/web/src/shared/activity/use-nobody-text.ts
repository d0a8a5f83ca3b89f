import { useTranslation } from 'react-i18next';

/** Actions of visitors, who are not signed in. */
const actsOfVisitors = ['account.wrong_password', 'account.mail_link', 'account.reset_password'];

/** Names whoever acted where no account did: a visitor, else the panel by itself. */
export function useNobodyText(): (action: string) => string {
  const { t } = useTranslation('activity');
  return (action) => (actsOfVisitors.includes(action) ? t('visitor') : t('panel'));
}
