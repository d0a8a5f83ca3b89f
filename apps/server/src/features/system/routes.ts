import * as contract from '@linekeeper/contract/system.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { getBackups } from './backups.ts';
import { applyMigrations, getConnection, getSetup } from './checks.ts';
import { getVersion } from './new-version.ts';

export const systemRoutes = [
  route(contract.getSetup, getSetup),
  route(contract.applyMigrations, applyMigrations, {
    auditsItself: 'migrations are transactions of their own, and the log may be missing until then',
  }),
  route(contract.getConnection, getConnection),
  route(contract.getBackups, getBackups),
  route(contract.getVersion, getVersion),
];
