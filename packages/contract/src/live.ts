import * as z from 'zod';

/** The tables whose changes reach browsers. */
export const liveTables = ['users', 'auth_users', 'cccam_servers', 'jobs'] as const;
export type LiveTable = (typeof liveTables)[number];

/**
 * A hint to fetch again, sent over GET /api/events as the data of an unnamed server-sent event.
 * `id` is null where one statement changed many rows.
 */
export const liveEvent = z.object({
  table: z.enum(liveTables),
  op: z.enum(['INSERT', 'UPDATE', 'DELETE']),
  id: z.string().nullable(),
});
export type LiveEvent = z.output<typeof liveEvent>;

export const EVENTS_PATH = '/api/events';
