import * as publicContract from '@linekeeper/contract/auth/auth.ts';
import * as contract from '@linekeeper/contract/settings.ts';
import { settingsSubject } from '../../domain/audit/audit-subjects.ts';
import { type Mutation, route } from '../../domain/use-cases/use-case.ts';
import { readSettings, writeSettings } from '../../platform/settings.ts';

const editSettings: Mutation<typeof contract.editSettings, null> = {
  audit: { action: 'settings.edit', subject: settingsSubject, of: () => 'settings' },
  commit: async (tx, _ctx, { body }) => {
    await writeSettings(tx, body);
    return null;
  },
  reply: (ctx) => readSettings(ctx.db),
};

export const settingsRoutes = [
  route(publicContract.publicSettings, async (ctx) => ({
    ...(await readSettings(ctx.db)),
    sends_mail: ctx.mail.isConfigured,
    time_zone: ctx.config.time_zone,
    today: ctx.today(),
  })),
  route(contract.getSettings, (ctx) => readSettings(ctx.db)),
  route(contract.editSettings, editSettings),
];
