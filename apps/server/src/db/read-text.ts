import pg from 'pg';

type Reader<Value> = (text: string) => Value;

const readerOf = pg.types.getTypeParser as unknown as <Value>(type: number) => Reader<Value>;
const readAnyMoment = readerOf<Date>(pg.types.builtins.TIMESTAMPTZ);

/** True for a moment of this era in UTC as PostgreSQL writes it: 2026-07-01 12:00:00.123456+00 */
const isPlain = (text: string) => text.charAt(4) === '-' && text.endsWith('+00');

/** Reads a moment as pg's own reader does, which looks at each part by itself and takes far longer. */
export function readMoment(text: string): Date {
  return isPlain(text)
    ? new Date(`${text.slice(0, 10)}T${text.slice(11)}:00`)
    : readAnyMoment(text);
}
