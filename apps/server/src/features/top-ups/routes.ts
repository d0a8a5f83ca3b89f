import * as contract from '@linekeeper/contract/credits/top-ups.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import {
  approveTopUp,
  orderTopUp,
  rejectTopUp,
  resolveTopUp,
  withdrawTopUp,
} from './change-top-up.ts';
import { checkOutTopUp } from './check-out.ts';
import { createPackage, deletePackage, editPackage, listPackages } from './packages.ts';
import { listTopUps, topUpsCsv } from './store.ts';

export const topUpRoutes = [
  route(contract.listPackages, listPackages),
  route(contract.createPackage, createPackage),
  route(contract.editPackage, editPackage),
  route(contract.deletePackage, deletePackage),
  route(contract.listTopUps, ({ db, actor }, { query }) => listTopUps(db, actor, query)),
  route(contract.topUpsCsv, topUpsCsv),
  route(contract.orderTopUp, orderTopUp),
  route(contract.approveTopUp, approveTopUp),
  route(contract.rejectTopUp, rejectTopUp),
  route(contract.withdrawTopUp, withdrawTopUp),
  route(contract.checkOutTopUp, checkOutTopUp, {
    notAudited: 'it moves nothing: the payment is audited when it comes',
  }),
  route(contract.resolveTopUp, resolveTopUp),
];
