export const DATE_FORMAT_MESSAGE = 'Invalid expiry date format. Expected DD-MM-YYYY format.';

/** '31-12-2026' becomes '2026-12-31'; undefined for other forms and for days no calendar has. */
export function parseDay(text: string): string | undefined {
  const match = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text);
  if (!match) return undefined;
  const day = `${match[3]}-${match[2]}-${match[1]}`;
  const date = new Date(`${day}T00:00:00Z`);
  // Date rolls 31 February over into March: only a real day comes back as it went in. Year 0000
  // would pass that test, but no calendar has it.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) return undefined;
  return match[3] === '0000' ? undefined : day;
}

/** Says which day (YYYY-MM-DD) an instant falls on in a time zone. */
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
