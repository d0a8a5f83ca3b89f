import * as z from 'zod';
import { endpoint, entity } from './endpoint.ts';
import { optionalText, wholeNumber } from './fields/fields.ts';
import { requiredName, visibleName } from './fields/names.ts';

export const keptAddresses = ['network', 'none'] as const;

export const MAX_SUSPEND_HOURS = 720;
const MAX_TRIALS = 10_000;

/** Text without a visible character is empty. */
const visibleText = (maximum: number) =>
  optionalText(maximum)
    .unwrap()
    .overwrite((text) => (visibleName(text) === '' ? '' : text));

export const settings = entity('Settings', {
  site_name: requiredName('REQUIRED', 60),
  legal_notice: visibleText(5000),
  bank_details: visibleText(1000),
  sign_up_open: z.boolean({ error: 'INVALID_VALUE' }),
  trial_days: wholeNumber(1, 30),
  trial_limit: wholeNumber(0, MAX_TRIALS),
  trial_daily_limit: wholeNumber(0, MAX_TRIALS),
  trial_name_days: wholeNumber(0, 365),
  undo_daily_limit: wholeNumber(0, 10_000),
  articles_public: z.boolean({ error: 'INVALID_VALUE' }),
  reminder_hour: wholeNumber(0, 23),
  /** What is kept of a customer's address: its network (/24, /48), or nothing. */
  kept_addresses: z.enum(keptAddresses, { error: 'INVALID_VALUE' }),
  sharing_connections: wholeNumber(1, 100),
  sharing_suspend_hours: wholeNumber(0, MAX_SUSPEND_HOURS),
});
export type Settings = z.output<typeof settings>;

/** Fields that are left out keep their value. */
export const settingsChanges = z.object(settings.shape).partial();
export type SettingsChanges = z.output<typeof settingsChanges>;

export const getSettings = endpoint('getSettings', 'GET /api/settings', {
  summary: 'Get the settings of the panel',
  access: 'admin',
  output: settings,
});

export const editSettings = endpoint('editSettings', 'PATCH /api/settings', {
  summary: 'Change settings of the panel',
  description: 'Fields that you leave out do not change.',
  access: 'admin',
  body: settingsChanges,
  output: settings,
});
