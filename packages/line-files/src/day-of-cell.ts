import { addDays, type Day, parseDay, today } from '@linekeeper/contract/dates.ts';
import { type FileFaultCode, type LineField, UnreadableRow } from './faults.ts';

/** Cells of other panels for an account that never expires. */
const never = new Set(['', '0', '-', 'never', 'unlimited', 'null', '\\n', 'none']);
/** MySQL's zero day, with or without a time. */
const ZERO_DAY = /^0{4}-00-00(?: 00:00:00)?$|^00[-./]00[-./]0{4}$/;

export const isZeroDay = (cell: string) => ZERO_DAY.test(cell.trim());

/** True for cells with which other programs mean "no day". */
export function namesNoDay(cell: string): boolean {
  const text = cell.trim();
  return never.has(text.toLowerCase()) || isZeroDay(text);
}

const pad = (text: string) => text.padStart(2, '0');

const ISO =
  /^(?<y>\d{4})([-/.])(?<m>\d{1,2})\2(?<d>\d{1,2})(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/;
const ZONED = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i;
const DAY_FIRST = /^(?<d>\d{1,2})([-.])(?<m>\d{1,2})\2(?<y>\d{4})(?: \d{1,2}:\d{2}(?::\d{2})?)?$/;
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: \d{1,2}:\d{2}(?::\d{2})?)?$/;
const UNIX = /^\d{9,10}$/;
const UNIX_MILLISECONDS = /^\d{12,13}$/;
/** A number of days since 1900, as spreadsheets store a day, from 1954 to 2099. */
const SERIAL = /^(?:[2-6]\d{4}|7[0-2]\d{3}|730[0-4]\d)(?:[.,]\d+)?$/;

/** The earliest plausible timestamp: lines were not sold before 2000, so an earlier timestamp has lost a digit. */
const FIRST_TIMESTAMP = Date.UTC(2000, 0, 1);

/**
 * The day in a cell; null if it has none. A day is read unchanged, and a moment becomes its day in
 * `timeZone`. Throws an UnreadableRow about `field`.
 */
export function readDay(
  cell: string,
  timeZone: string,
  field: LineField = 'expiry_date',
): Day | null {
  const text = cell.trim();
  const refuse = (code: FileFaultCode, more = {}): never => {
    throw new UnreadableRow(field, code, { text, ...more });
  };
  /** The day with this year, month and day. */
  const dayOf = (year = '', month = '', day = ''): Day =>
    parseDay(`${year}-${pad(month)}-${pad(day)}`) ?? refuse('DAY_NOT_IN_CALENDAR');
  const dayOfMoment = (moment: Date): Day => {
    const day = Number.isNaN(moment.getTime()) ? null : parseDay(today(timeZone, moment));
    return day ?? refuse('DAY_NOT_IN_CALENDAR');
  };
  if (namesNoDay(text)) return null;
  const { y, m, d } = (ISO.exec(text) ?? DAY_FIRST.exec(text))?.groups ?? {};
  if (y) return dayOf(y, m, d);
  if (ZONED.test(text)) return dayOfMoment(new Date(text.replace(' ', 'T')));
  const [, first, second, year] = SLASHED.exec(text) ?? [];
  if (first) {
    if (Number(first) > 12) return dayOf(year, second, first);
    if (Number(second) > 12 || first === second) return dayOf(year, first, second);
    return refuse('DAY_AMBIGUOUS');
  }
  if (SERIAL.test(text)) {
    return refuse('DAY_SERIAL', {
      day: addDays('1899-12-30', Math.floor(Number.parseFloat(text))),
    });
  }
  if (UNIX.test(text) || UNIX_MILLISECONDS.test(text)) {
    const milliseconds = Number(text) * (UNIX.test(text) ? 1000 : 1);
    return milliseconds < FIRST_TIMESTAMP
      ? refuse('DAY_UNREADABLE')
      : dayOfMoment(new Date(milliseconds));
  }
  return refuse('DAY_UNREADABLE');
}
