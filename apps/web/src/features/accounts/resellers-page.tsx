import { allAccounts } from './accounts-list.ts';
import { AccountsPage } from './accounts-page.tsx';

/** Every account of the panel, for administrators. */
export function ResellersPage() {
  return <AccountsPage list={allAccounts} addPath="/resellers/add" />;
}
