export const DATE_FORMAT_MESSAGE = 'Invalid expiry date format. Expected DD-MM-YYYY format.';

/**
 * Converts '31-12-2026' to '2026-12-31'; undefined for other formats and for days that do not
 * exist.
 */
export function parseDay(text: string): string | undefined {
  const match = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text);
  if (!match) return undefined;
  const day = `${match[3]}-${match[2]}-${match[1]}`;
  const date = new Date(`${day}T00:00:00Z`);
  // Date turns 31 February into a day in March, so only real days survive the round trip. Year 0000
  // does too, but no calendar has it.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) return undefined;
  return match[3] === '0000' ? undefined : day;
}

/** Returns a function that gives the calendar day (YYYY-MM-DD) of an instant in `timeZone`. */
export function calendarOf(timeZone: string): (instant: Date) => string {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  } catch {
    throw new Error(`TIME_ZONE '${timeZone}' is not a known time zone (for example Europe/Berlin)`);
  }
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
  };
}
