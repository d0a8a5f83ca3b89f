import * as contract from '@linekeeper/contract/accounts/accounts.ts';
import * as bans from '@linekeeper/contract/accounts/bans.ts';
import * as imports from '@linekeeper/contract/accounts/import-accounts.ts';
import * as limits from '@linekeeper/contract/accounts/limits.ts';
import * as twoFactor from '@linekeeper/contract/accounts/two-factor.ts';
import { findAccountFor } from '../../domain/accounts/allowed-actions.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { createResetLink, disableAccountTwoFactor, getAccountTwoFactor } from './account-access.ts';
import { accountFigures } from './account-figures.ts';
import { banAccount, previewBan, unbanAccount } from './ban-account.ts';
import { importAccounts } from './import-accounts.ts';
import { getLimits, setLimits } from './limits.ts';
import { addCredits, setCredits, takeBackCredits } from './move-credits.ts';
import { createAccount, editAccount } from './save-account.ts';
import { accountsCsv, listAccounts } from './store.ts';

export const accountRoutes = [
  route(contract.listAccounts, ({ db, actor }, { query }) => listAccounts(db, actor, query)),
  route(contract.getAccount, ({ db, actor }, { params }) => findAccountFor(db, actor, params.id)),
  route(contract.accountsCsv, accountsCsv),
  route(contract.accountFigures, accountFigures),
  route(contract.createAccount, createAccount),
  route(imports.importAccounts, importAccounts),
  route(bans.previewBan, previewBan),
  route(bans.banAccount, banAccount),
  route(bans.unbanAccount, unbanAccount),
  route(contract.createResetLink, createResetLink),
  route(twoFactor.getAccountTwoFactor, getAccountTwoFactor),
  route(twoFactor.disableAccountTwoFactor, disableAccountTwoFactor),
  route(contract.editAccount, editAccount),
  route(limits.getLimits, getLimits),
  route(limits.setLimits, setLimits),
  route(contract.addCredits, addCredits),
  route(contract.takeBackCredits, takeBackCredits),
  route(contract.setCredits, setCredits),
];
