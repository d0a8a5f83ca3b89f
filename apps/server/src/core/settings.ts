import * as z from 'zod';
import type { Db } from '../db/transaction.ts';

const settings = z.object({
  site_name: z.string(),
  legal_notice: z.string(),
  sign_up_open: z.boolean(),
  trial_days: z.number().int(),
  trial_limit: z.number().int(),
});
export type Settings = z.output<typeof settings>;

export async function readSettings(db: Db): Promise<Settings> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute();
  return settings.parse(Object.fromEntries(rows.map(({ key, value }) => [key, value])));
}
