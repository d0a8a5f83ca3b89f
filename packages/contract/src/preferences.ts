import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { requiredText, STORABLE } from './fields.ts';
import { languages } from './languages.ts';

export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

/** What the list of lines can show beside the username, in this order. */
export const lineColumns = [
  'password',
  'expiry',
  'status',
  'server',
  'owner',
  'name',
  'company',
  'email',
  'notes',
  'added',
  'term',
] as const;
export type LineColumn = (typeof lineColumns)[number];

/** What a saved view keeps of the list's address. */
const viewParts = ['q', 'status', 'server', 'owner', 'expires', 'trial', 'sync', 'sort'] as const;
export const MAX_SAVED_VIEWS = 20;

export const viewName = requiredText('REQUIRED', 40);
const savedView = z.object({
  name: viewName,
  search: z.partialRecord(z.enum(viewParts), z.string().max(200).regex(STORABLE)),
});
export type SavedView = z.output<typeof savedView>;

export const preferences = z
  .object({
    /** null: never chosen, so that each browser's own applies. */
    language: z.enum(languages).nullable(),
    density: z.enum(densities),
    columns: z.array(z.enum(lineColumns)).max(lineColumns.length),
    /** Whether single keys (n, / and ?) do something. */
    shortcuts: z.boolean(),
    /** Whether notices come by mail too. */
    mails: z.boolean(),
    saved_views: z.array(savedView).max(MAX_SAVED_VIEWS),
  })
  .meta({ id: 'Preferences' });
export type Preferences = z.output<typeof preferences>;

export const defaultPreferences: Preferences = {
  language: null,
  density: 'comfortable',
  columns: ['password', 'expiry', 'status', 'server', 'owner'],
  shortcuts: true,
  mails: true,
  saved_views: [],
};

export const getPreferences = endpoint({
  name: 'getPreferences',
  method: 'GET',
  path: '/api/me/settings',
  summary: 'What the account prefers, complete with what it has not chosen',
  access: 'account',
  output: preferences,
});

export const editPreferences = endpoint({
  name: 'editPreferences',
  method: 'PATCH',
  path: '/api/me/settings',
  summary: 'Change preferences; what is left out stays',
  access: 'account',
  body: z.object(preferences.shape).partial(),
  output: preferences,
});
