import * as contract from '@linekeeper/contract/auth/api-keys.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { createApiKey, deleteApiKey, readApiKeys } from './api-keys.ts';

export const apiKeyRoutes = [
  route(contract.listApiKeys, async ({ db, actor }) => ({
    items: await readApiKeys(db, actor.id),
  })),
  route(contract.createApiKey, createApiKey),
  route(contract.deleteApiKey, deleteApiKey),
];
