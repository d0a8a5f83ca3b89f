import { myAccounts } from './accounts-list.ts';
import { AccountsPage } from './accounts-page.tsx';

/** The own account and those below it. */
export function MyAccountsPage() {
  return <AccountsPage list={myAccounts} addPath="/accounts/add" />;
}
