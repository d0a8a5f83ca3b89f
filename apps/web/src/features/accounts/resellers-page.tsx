import { allAccounts } from './accounts-list.ts';
import { AccountsPage } from './accounts-page.tsx';

/** The page with all accounts of the panel, for administrators. */
export function ResellersPage() {
  return <AccountsPage list={allAccounts} addPath="/resellers/add" />;
}
