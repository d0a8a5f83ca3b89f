/** A calendar day as YYYY-MM-DD, without time or time zone. */
export type Day = string;

/** The first year of dates that can be entered. */
export const FIRST_YEAR = 1900;
export const LAST_YEAR = 2099;

const pad = (value: number, length = 2) => String(value).padStart(length, '0');

const join = (year: number, month: number, date: number): Day =>
  `${pad(year, 4)}-${pad(month)}-${pad(date)}`;

const split = (day: Day) =>
  day.split('-').map(Number) as [year: number, month: number, date: number];

function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Parses DD-MM-YYYY or YYYY-MM-DD with a year from 1900 to 2099; returns null for anything else. */
export function parseDay(text: string): Day | null {
  const isIso = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (!isIso && !/^\d{2}-\d{2}-\d{4}$/.test(text)) return null;
  const [year, month, day] = split(isIso ? text : text.split('-').toReversed().join('-'));
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12) return null;
  if (day < 1 || day > daysInMonth(year, month)) return null;
  return join(year, month, day);
}

/** Formats 2026-11-21 as 21-11-2026, the form used for lines and card servers. */
export function formatDay(day: Day): string {
  const [year, month, date] = day.split('-');
  return `${date}-${month}-${year}`;
}

/** Adds whole months and clamps to the last day of the month: 31-01 plus 1 month is 28-02. */
export function addMonths(day: Day, months: number): Day {
  const [fromYear, fromMonth, date] = split(day);
  const index = fromYear * 12 + (fromMonth - 1) + months;
  const year = Math.floor(index / 12);
  const month = (index % 12) + 1;
  return join(year, month, Math.min(date, daysInMonth(year, month)));
}

export function addDays(day: Day, days: number): Day {
  const [year, month, date] = split(day);
  return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10);
}

/** Whole days from one day to another; negative when `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

export function laterDay(a: Day, b: Day): Day {
  return a > b ? a : b;
}

/** The smallest n with addMonths(base, n) >= `target`; 0 if `target` is not after `base`. */
export function monthsToCover(base: Day, target: Day): number {
  let months = 0;
  while (addMonths(base, months) < target) months++;
  return months;
}

/**
 * Months from one day to a later one, as sales count them, with the last one in part, by its days:
 * 1.5 from 1 June to 16 July. 0 if the other day is earlier.
 */
export function monthsBetween(from: Day, to: Day): number {
  const whole = monthsToCover(from, to);
  if (whole === 0) return 0;
  const [begun, ended] = [addMonths(from, whole - 1), addMonths(from, whole)];
  return whole - 1 + daysBetween(begun, to) / daysBetween(begun, ended);
}

/** Formats by time zone, cached because creating one takes about a hundred times as long as using it. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day in `timeZone` (an IANA name) at the moment `now`. */
export function today(timeZone: string, now: Date = new Date()): Day {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format =
    dayFormats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, ...parts });
  dayFormats.set(timeZone, format);
  return format.format(now);
}
