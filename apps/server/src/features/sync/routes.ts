import * as contract from '@linekeeper/contract/sync.ts';
import { failField } from '../../core/refusal.ts';
import { route } from '../../core/use-case.ts';
import { listPushes, tryAgainNow } from './store.ts';

export const syncRoutes = [
  route(contract.listPushes, ({ db }, { query }) => listPushes(db, query)),
  route(contract.retryPushes, {
    commit: async (tx, _, { body: { ids, all } }) => {
      if (!ids && !all) failField('ids', 'REQUIRED');
      return { retried: await tryAgainNow(tx, all ? null : (ids ?? [])) };
    },
    reply: async (_, result) => result,
  }),
];
