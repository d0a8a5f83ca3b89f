import * as contract from '@linekeeper/contract/auth.ts';
import { readSettings } from '../../core/settings.ts';
import { route } from '../../core/use-case.ts';

export const settingsRoutes = [
  route(contract.publicSettings, async (ctx) => ({
    ...(await readSettings(ctx.db)),
    time_zone: ctx.config.time_zone,
    today: ctx.today(),
  })),
];
