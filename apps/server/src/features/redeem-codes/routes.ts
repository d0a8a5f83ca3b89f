import * as contract from '@linekeeper/contract/credits/redeem-codes.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { redeem } from './redeem.ts';
import { createRedeemCodes, deleteRedeemCode, editRedeemCode } from './save-codes.ts';
import { listRedeemCodes, listRedemptions, redeemCodesCsv } from './store.ts';

export const redeemCodeRoutes = [
  route(contract.listRedeemCodes, ({ db }, { query }) => listRedeemCodes(db, query)),
  route(contract.redeemCodesCsv, redeemCodesCsv),
  route(contract.createRedeemCodes, createRedeemCodes),
  route(contract.editRedeemCode, editRedeemCode),
  route(contract.deleteRedeemCode, deleteRedeemCode),
  route(contract.redeem, redeem),
  route(contract.listRedemptions, listRedemptions),
];
