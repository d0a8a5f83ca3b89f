import { type Day, parseDay, today } from '@linekeeper/contract/dates.ts';
import { RowFault } from './outcome.ts';

/** What other panels write where an account never expires. */
const never = new Set(['', '0', '-', 'never', 'unlimited', 'null', 'none', '0000-00-00']);

const pad = (text: string) => text.padStart(2, '0');

/** The day that year, month and day of a file make; throws where there is none. */
function dayOf(year: string, month: string, day: string, text: string): Day {
  const found = parseDay(`${year}-${pad(month)}-${pad(day)}`);
  if (!found) throw new RowFault('expiry', `${text} is no day from 1900 to 2099`);
  return found;
}

function slashedDay(first: string, second: string, year: string, text: string): Day {
  if (Number(first) > 12) return dayOf(year, second, first, text);
  if (Number(second) > 12 || first === second) return dayOf(year, first, second, text);
  throw new RowFault(
    'expiry',
    `${text} may be two different days: write it as YYYY-MM-DD or DD.MM.YYYY`,
  );
}

/** The moment as the day that it is then in the panel's time zone. */
function dayOfMoment(moment: Date, timeZone: string, text: string): Day {
  const day = Number.isNaN(moment.getTime()) ? null : parseDay(today(timeZone, moment));
  if (!day) throw new RowFault('expiry', `${text} is no day from 1900 to 2099`);
  return day;
}

/** Nobody sold such a line before 2000: a timestamp of that time has lost a digit. */
const FIRST_TIMESTAMP = Date.UTC(2000, 0, 1);

/** Seconds or milliseconds since 1970. */
function dayOfTimestamp(milliseconds: number, timeZone: string, text: string): Day {
  if (milliseconds < FIRST_TIMESTAMP) {
    throw new RowFault('expiry', `${text} is no date that can be read`);
  }
  return dayOfMoment(new Date(milliseconds), timeZone, text);
}

const ISO = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/;
const ZONED = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i;
const DAY_FIRST = /^(\d{1,2})([-.])(\d{1,2})\2(\d{4})(?: \d{1,2}:\d{2}(?::\d{2})?)?$/;
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: \d{1,2}:\d{2}(?::\d{2})?)?$/;
const UNIX = /^\d{9,10}$/;
const UNIX_MILLISECONDS = /^\d{12,13}$/;

/**
 * The day that a cell names; null where it names none. Takes the day as it is written, and a moment as
 * the day that it is then in `timeZone`. Throws a RowFault.
 */
export function readDay(cell: string, timeZone: string): Day | null {
  const text = cell.trim();
  if (never.has(text.toLowerCase())) return null;
  const [, year, , month = '', day = ''] = ISO.exec(text) ?? [];
  if (year) return dayOf(year, month, day, text);
  if (ZONED.test(text)) return dayOfMoment(new Date(text.replace(' ', 'T')), timeZone, text);
  const [, date, , itsMonth = '', itsYear = ''] = DAY_FIRST.exec(text) ?? [];
  if (date) return dayOf(itsYear, itsMonth, date, text);
  const [, first, second = '', slashedYear = ''] = SLASHED.exec(text) ?? [];
  if (first) return slashedDay(first, second, slashedYear, text);
  if (UNIX.test(text)) return dayOfTimestamp(Number(text) * 1000, timeZone, text);
  if (UNIX_MILLISECONDS.test(text)) return dayOfTimestamp(Number(text), timeZone, text);
  throw new RowFault('expiry', `${text.slice(0, 40)} is no date that can be read`);
}
