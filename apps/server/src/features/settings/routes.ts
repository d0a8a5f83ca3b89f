import * as publicContract from '@linekeeper/contract/auth/auth.ts';
import * as contract from '@linekeeper/contract/settings.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { readSettings } from '../../platform/settings.ts';
import { editSettings } from './edit-settings.ts';

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
