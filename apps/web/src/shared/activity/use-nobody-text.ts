import { useTranslation } from 'react-i18next';

/** Actions of visitors, who are not signed in. */
const actsOfVisitors = ['account.wrong_password', 'account.mail_link', 'account.reset_password'];
/** Actions of whoever rules the machine. */
const actsOfOperator = ['account.reset_on_machine'];

/** Names whoever acted where no account did: a visitor, the operator, else the panel by itself. */
export function useNobodyText(): (action: string) => string {
  const { t } = useTranslation('activity');
  return (action) => {
    if (actsOfVisitors.includes(action)) return t('visitor');
    return t(actsOfOperator.includes(action) ? 'operator' : 'panel');
  };
}
