import * as contract from '@linekeeper/contract/audit.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { auditCsv, listAudit } from './list-audit.ts';
import { checkSeals, sealState } from './seal-state.ts';

export const auditRoutes = [
  route(contract.listAudit, listAudit),
  route(contract.auditCsv, auditCsv),
  route(contract.getSealState, sealState),
  route(contract.checkSeals, checkSeals, {
    notAudited: 'it changes nothing; what it found is kept with its time',
  }),
];
