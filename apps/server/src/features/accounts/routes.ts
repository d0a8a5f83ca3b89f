import * as contract from '@linekeeper/contract/accounts.ts';
import { prices } from '@linekeeper/contract/credits.ts';
import { accountScope } from '../../core/access.ts';
import { findAccount } from '../../core/accounts.ts';
import { route } from '../../core/use-case.ts';
import { addCredits } from './add-credits.ts';
import { createAccount } from './create-account.ts';
import { setCredits } from './set-credits.ts';
import { listAccounts } from './store.ts';
import { takeBackCredits } from './take-back-credits.ts';

export const accountRoutes = [
  route(contract.listAccounts, ({ db, actor }, { query }) => listAccounts(db, actor, query)),
  route(contract.getAccount, ({ db, actor }, { params }) =>
    findAccount(db, accountScope(actor), params.id),
  ),
  route(contract.createAccount, createAccount),
  route(contract.addCredits, addCredits),
  route(contract.takeBackCredits, takeBackCredits),
  route(contract.setCredits, setCredits),
  route(contract.listPrices, async () => [...prices]),
];
