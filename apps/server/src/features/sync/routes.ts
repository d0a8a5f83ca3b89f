import * as orphansContract from '@linekeeper/contract/servers/orphans.ts';
import * as contract from '@linekeeper/contract/servers/sync.ts';
import { panelSubject } from '../../domain/audit/audit-subjects.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { failField } from '../../platform/errors/refusal.ts';
import { lookForOrphans } from './orphans/look-for-orphans.ts';
import { listOrphans, pushNamed, removeOrphans } from './orphans/orphans.ts';
import { findPush, listPushes, tryAgainNow } from './store.ts';

export const syncRoutes = [
  route(contract.listPushes, ({ db }, { query }) => listPushes(db, query)),
  route(contract.retryPushes, {
    audit: {
      action: 'sync.retry',
      subject: panelSubject,
      of: () => 'sync',
      data: ({ body }, { retried }) => ({ all: body.all ?? false, retried }),
    },
    commit: async (tx, _, { body: { ids, all } }) => {
      if (!ids && !all) failField('ids', 'REQUIRED');
      if (ids && all) failField('all', 'INVALID_VALUE');
      const retried = await tryAgainNow(tx, all ? null : (ids ?? []));
      const [only, ...others] = all ? [] : (ids ?? []);
      const one = only && others.length === 0 ? await findPush(tx, only) : undefined;
      return { retried, one: one ?? null };
    },
    reply: async (ctx, { retried, one }) => ({ retried, ...(await pushNamed(ctx, one)) }),
  }),
  route(orphansContract.listOrphans, ({ db }, { query }) => listOrphans(db, query)),
  route(orphansContract.lookForOrphans, lookForOrphans, {
    notAudited: 'asks card servers for their names and changes none',
  }),
  route(orphansContract.removeOrphans, removeOrphans),
];
