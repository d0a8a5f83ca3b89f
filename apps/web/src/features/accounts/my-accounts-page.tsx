import { myAccounts } from './accounts-list.ts';
import { AccountsPage } from './accounts-page.tsx';

/** The page with the signed-in account and all accounts below it. */
export function MyAccountsPage() {
  return <AccountsPage list={myAccounts} addPath="/accounts/add" />;
}
