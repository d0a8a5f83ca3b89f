import * as z from 'zod';
import { endpoint, entity } from './endpoint.ts';
import { invalid, optionalText, wholeNumber, yesOrNo } from './fields/fields.ts';
import { requiredName, visibleName } from './fields/names.ts';

export const keptAddresses = ['network', 'none'] as const;

/**
 * The stored settings. The limits of new values do not apply to them, so that a value of another
 * version does not stop the panel.
 */
export const settings = entity('Settings', {
  site_name: z.string(),
  legal_notice: z.string(),
  bank_details: z.string(),
  sign_up_open: z.boolean(),
  trial_days: z.number().int(),
  trial_limit: z.number().int(),
  trial_daily_limit: z.number().int(),
  trial_name_days: z.number().int(),
  undo_daily_limit: z.number().int(),
  articles_public: z.boolean(),
  reminder_hour: z.number().int(),
  /** The part of a customer's address that is kept: its network (/24, /48), or nothing. */
  kept_addresses: z.enum(keptAddresses),
  sharing_connections: z.number().int(),
  sharing_suspend_hours: z.number().int(),
});
export type Settings = z.output<typeof settings>;

const MAX_TRIAL_DAYS = 30;
const MAX_TRIALS = 10_000;
const MAX_TRIAL_NAME_DAYS = 365;
const MAX_UNDONE_LINES = 10_000;
const MAX_SHARING_CONNECTIONS = 100;
export const MAX_SUSPEND_HOURS = 720;

/** A text; one without a visible character counts as empty. */
const visibleText = (maximum: number) =>
  optionalText(maximum)
    .unwrap()
    .overwrite((text) => (visibleName(text) === '' ? '' : text))
    .optional();

export const settingsChanges = z.object({
  site_name: requiredName(60).optional(),
  legal_notice: visibleText(5000),
  bank_details: visibleText(1000),
  sign_up_open: yesOrNo.optional(),
  trial_days: wholeNumber(1, MAX_TRIAL_DAYS).optional(),
  trial_limit: wholeNumber(0, MAX_TRIALS).optional(),
  trial_daily_limit: wholeNumber(0, MAX_TRIALS).optional(),
  trial_name_days: wholeNumber(0, MAX_TRIAL_NAME_DAYS).optional(),
  undo_daily_limit: wholeNumber(0, MAX_UNDONE_LINES).optional(),
  articles_public: yesOrNo.optional(),
  reminder_hour: wholeNumber(0, 23).optional(),
  kept_addresses: z.enum(keptAddresses, invalid).optional(),
  sharing_connections: wholeNumber(1, MAX_SHARING_CONNECTIONS).optional(),
  sharing_suspend_hours: wholeNumber(0, MAX_SUSPEND_HOURS).optional(),
});
export type SettingsChanges = z.output<typeof settingsChanges>;

export const getSettings = endpoint('getSettings', 'GET /api/settings', {
  summary: 'Get the settings of the panel',
  description: 'Returns the settings that an administrator can change.',
  access: 'admin',
  output: settings,
});

export const editSettings = endpoint('editSettings', 'PATCH /api/settings', {
  summary: 'Change settings of the panel',
  description: 'Changes the settings that you send. The others do not change.',
  access: 'admin',
  body: settingsChanges,
  output: settings,
});
