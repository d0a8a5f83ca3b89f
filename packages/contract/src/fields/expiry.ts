import * as z from 'zod';
import { FIRST_YEAR, LAST_YEAR, parseDay } from '../dates.ts';

/** The end of a validity: through a whole day in the panel's time zone, or at a moment. */
export type Expiry = { day: string } | { moment: string };

const momentText = z.iso.datetime({ offset: true });

function readMoment(text: string): string | null {
  const time = momentText.safeParse(text).success ? new Date(text) : null;
  if (!time || Number.isNaN(time.getTime())) return null;
  const year = time.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR ? time.toISOString() : null;
}

/** Accepts a day (DD-MM-YYYY or YYYY-MM-DD), or a moment in ISO 8601 with its offset. */
export const expiry = z
  .string({ error: 'INVALID_EXPIRY' })
  .trim()
  .transform((text, check): Expiry => {
    const day = parseDay(text);
    if (day) return { day };
    const moment = readMoment(text);
    if (moment) return { moment };
    check.addIssue({ code: 'custom', message: 'INVALID_EXPIRY' });
    return z.NEVER;
  });
