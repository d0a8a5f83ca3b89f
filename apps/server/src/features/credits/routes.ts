import * as contract from '@linekeeper/contract/credits/transfers.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { listTransfers, transfersCsv } from './list-transfers.ts';
import { refundTransfer } from './refund-transfer.ts';
import { checkLedger } from './verify-ledger.ts';

export const creditRoutes = [
  route(contract.listTransfers, listTransfers),
  route(contract.transfersCsv, transfersCsv),
  route(contract.refundTransfer, refundTransfer),
  route(contract.verifyLedger, ({ db, secrets }) => checkLedger(db, secrets)),
];
