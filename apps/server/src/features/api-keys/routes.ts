import * as contract from '@linekeeper/contract/auth/api-keys.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { createApiKey } from './create-api-key.ts';
import { deleteApiKey } from './delete-api-key.ts';
import { listApiKeys } from './store.ts';

export const apiKeyRoutes = [
  route(contract.listApiKeys, async ({ db, actor }) => ({
    items: await listApiKeys(db, actor.id),
  })),
  route(contract.createApiKey, createApiKey),
  route(contract.deleteApiKey, deleteApiKey),
];
