import type * as contract from '@linekeeper/contract/settings.ts';
import { settingsSubject } from '../../core/audit/audit-subjects.ts';
import { readSettings, writeSettings } from '../../core/settings.ts';
import type { Mutation } from '../../core/use-case.ts';

export const editSettings: Mutation<typeof contract.editSettings, null> = {
  audit: { action: 'settings.edit', subject: settingsSubject, of: () => 'settings' },
  commit: async (tx, _ctx, { body }) => {
    await writeSettings(tx, body);
    return null;
  },
  reply: (ctx) => readSettings(ctx.db),
};
