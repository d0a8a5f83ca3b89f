import * as contract from '@linekeeper/contract/audit.ts';
import { route } from '../../core/use-case.ts';
import { auditCsv, listAudit } from './list-audit.ts';

export const auditRoutes = [
  route(contract.listAudit, listAudit),
  route(contract.auditCsv, auditCsv),
];
