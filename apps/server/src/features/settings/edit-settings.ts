import type * as contract from '@linekeeper/contract/settings.ts';
import { settingsSubject } from '../../domain/audit/audit-subjects.ts';
import type { Mutation } from '../../domain/use-cases/use-case.ts';
import { readSettings, writeSettings } from '../../platform/settings.ts';

export const editSettings: Mutation<typeof contract.editSettings, null> = {
  audit: { action: 'settings.edit', subject: settingsSubject, of: () => 'settings' },
  commit: async (tx, _ctx, { body }) => {
    await writeSettings(tx, body);
    return null;
  },
  reply: (ctx) => readSettings(ctx.db),
};
