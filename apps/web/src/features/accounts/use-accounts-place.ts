import { useTranslation } from 'react-i18next';
import { useCan, useMe } from '#platform/data/session.ts';
import { screens } from '#screens/screens.ts';

/** The page with the list of accounts, which is a different one for administrators. */
export function useAccountsPlace(): { to: '/resellers' | '/accounts'; label: string } {
  const { t } = useTranslation('accounts');
  const { is_admin } = useMe();
  const { access, menuText } = screens.myAccounts.forAll;
  const seesAll = useCan(access);
  if (is_admin) return { to: '/resellers', label: t('nav.manageResellers') };
  return { to: '/accounts', label: seesAll ? t(menuText) : t('nav.myAccounts') };
}
