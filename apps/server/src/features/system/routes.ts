import * as contract from '@linekeeper/contract/system.ts';
import { route } from '../../core/use-case.ts';
import { getConnection } from './connection.ts';
import { applyMigrations, getSetup } from './setup.ts';

export const systemRoutes = [
  route(contract.getSetup, getSetup),
  route(contract.applyMigrations, applyMigrations, {
    auditsItself:
      'the log may be missing until the migrations are there, and has an entry only then',
  }),
  route(contract.getConnection, getConnection),
];
