import type { DatabaseSync } from 'node:sqlite';
import { openSql } from './sql.ts';

const DAY_MS = 86_400_000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS end_day (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    day TEXT NOT NULL
  ) STRICT;
`;

export type EndDay = ReturnType<typeof openEndDay>;

/** True if two days differ by at most one: time zones make a day of difference, wrong clocks make more. */
const isNear = (one: string, other: string) =>
  Math.abs(Date.parse(one) - Date.parse(other)) <= DAY_MS;

/**
 * The day by which accounts end. If the clock jumps, many accounts would end together, so the agent keeps to the last
 * day on which its own clock and the panel's agreed, until an administrator confirms the new one.
 */
export function openEndDay(db: DatabaseSync, clockDay: () => string) {
  db.exec(SCHEMA);
  const sql = openSql(db);
  /** The last day on which the panel's clock and this machine's agreed; undefined until a panel has sent its day. */
  let agreed = sql.get`SELECT day FROM end_day`?.day as string | undefined;
  /** The panel's day, if it differs much from the clock's. */
  let other: string | undefined;

  function agreeOn(day: string): void {
    if (day !== agreed) sql.run`INSERT OR REPLACE INTO end_day VALUES (1, ${day})`;
    agreed = day;
  }

  function today(): string {
    const day = clockDay();
    if (agreed === undefined) return other !== undefined && other < day ? other : day;
    return other === undefined && isNear(day, agreed) ? day : agreed;
  }

  return {
    today,

    /** Follows the clock from day to day; to be called at intervals. */
    keep(): void {
      if (agreed !== undefined) agreeOn(today());
    },

    /** Compares the panel's day with the clock's; anything but a day is ignored. */
    comparePanel(panelDay: string): void {
      if (!/^\d{4}-\d{2}-\d{2}$/.test(panelDay)) return;
      const day = clockDay();
      other = isNear(panelDay, day) ? undefined : panelDay;
      if (other === undefined && agreed === undefined) agreeOn(day);
    },

    /** The day by which accounts end while the clock's day has to be confirmed; null if they are the same day. */
    held(): string | null {
      const day = today();
      return day === clockDay() ? null : day;
    },

    /** Confirms the clock's day for an administrator; returns false if the clock shows another day in the meantime. */
    confirm(day: string): boolean {
      if (day !== clockDay()) return false;
      agreeOn(day);
      return true;
    },
  };
}
