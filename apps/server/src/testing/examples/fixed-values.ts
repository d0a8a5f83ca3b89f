import { createHash } from 'node:crypto';
import { addDays, addMonths, type Day, daysBetween, today } from '@linekeeper/contract/dates.ts';
import { timeIn } from '../zone.ts';

/**
 * Facts of a recording that differ each time. They are replaced by fixed values, so that a change
 * of the examples shows only itself: ids, secrets, times, days and measured durations.
 */
export interface Recording {
  startedAt: Date;
  timeZone: string;
  /** Texts that belong to this machine, each with its replacement in the examples. */
  replaced: ReadonlyMap<string, string>;
}

/**
 * The time at which every recording seems to be made. It is in the future, because tests send the days of the examples.
 */
const SHOWN_AT = Date.parse('2030-03-14T09:40:00.000Z');
const MINUTE_MS = 60_000;
const HALF_HOUR_MS = 30 * MINUTE_MS;
/** Milliseconds; a shorter distance between two times comes from the duration of the recording. */
const DISTANCE_MS = 5 * MINUTE_MS;

/** Fixed values for measured durations, and for bounds that depend on them. */
const measured: Readonly<Record<string, number>> = {
  latency_ms: 4,
  ms: 4,
  took_ms: 160,
  slow_from_ms: 80,
  seconds_left: 300,
  p50: 0.2,
  p95: 0.4,
};

/** Names of fields with secrets. In the examples their values have the same form and give no access. */
const secret =
  /^(?:key|public_key|start|secret|otpauth_url|challenge|token|url|code|recovery_code|recovery_codes)$/;
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const MOMENT = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00)/;
const MOMENT_OR_DAY = new RegExp(
  `${MOMENT.source}|\\b\\d{4}-\\d\\d-\\d\\d\\b|\\b\\d\\d-\\d\\d-\\d{4}\\b`,
  'g',
);

const isId = (text: string) => new RegExp(`^${ID.source}$`).test(text);

/** Returns the same id for the same place in each recording. */
function idOf(place: string): string {
  const hex = createHash('sha256').update(place).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The secret with its letters and digits replaced. */
function masked(text: string): string {
  if (/^\d{6}$/.test(text)) return '777777';
  return text.replace(
    /(?<=whsec_)[\w+/=]+|(?<=lk_)[\w-]+|(?<![\w-])(?!lk_|whsec_)(?:(?=[\w-]*\d)[\w-]{10,}|(?![A-Z]*_)[\w-]{20,})|[A-Z2-7]{16,}/g,
    (word) => {
      if (isId(word)) return word;
      if (/[+/=]/.test(word)) return 'x'.repeat(word.length);
      if (/^\d+$/.test(word)) return word.replace(/\d/g, '7');
      return /^(?:[A-Z\d]{4}(?:-[A-Z\d]{4})+|[A-Z2-7]{16,})$/.test(word)
        ? word.replace(/[A-Z\d]/g, 'X')
        : 'x'.repeat(word.length);
    },
  );
}

/** Number of months between two days, or between two months written as YYYY-MM. */
function monthsFrom(from: string, to: string): number {
  const numberOf = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
  return numberOf(to) - numberOf(from);
}

function monthShown(month: string, { startedAt, timeZone }: Recording): string {
  const months = monthsFrom(today(timeZone, startedAt), month);
  return addMonths(today(timeZone, new Date(SHOWN_AT)), months).slice(0, 7);
}

/**
 * The day at the same distance from the shown day as `day` is from the day of the recording. The
 * distance is in months if both have the same number in their months.
 */
function dayShown(day: Day, { startedAt, timeZone }: Recording): Day {
  const now = today(timeZone, startedAt);
  const shown = today(timeZone, new Date(SHOWN_AT));
  const months = monthsFrom(now, day);
  const numbers = [day, now].map((text) => Number(text.slice(8)));
  const isOfNumber = numbers[0] === numbers[1] || numbers.every((number) => number >= 28);
  return months > 0 && isOfNumber
    ? addMonths(shown, months)
    : addDays(shown, daysBetween(now, day));
}

/**
 * The shown time: ends of days and half hours stay such ends, and other times of the recording become its beginning.
 */
function momentShown(moment: number, recording: Recording, saidAt: Date): number {
  const { startedAt, timeZone } = recording;
  const now = startedAt.getTime();
  if (new Date(moment).toISOString().endsWith(':59:59.999Z')) {
    const { day, hour } = timeIn(timeZone, new Date(moment));
    if (hour !== 23) throw new Error(`${moment} ends no day`);
    const end = Date.parse(`${dayShown(day, recording)}T23:59:59.999Z`);
    const ends = [0, 1, 2].map((ahead) => end - ahead * 2 * HALF_HOUR_MS);
    return ends.find((one) => timeIn(timeZone, new Date(one + 1)).hour === 0) ?? end;
  }
  const floor = (time: number) => time - (time % HALF_HOUR_MS);
  if (moment % HALF_HOUR_MS === 0) {
    return floor(SHOWN_AT) + moment - floor(saidAt.getTime());
  }
  return SHOWN_AT + Math.round((moment - now) / DISTANCE_MS) * DISTANCE_MS;
}

function timeShown(text: string, recording: Recording, saidAt: Date): string {
  if (MOMENT.test(text)) {
    const moment = Date.parse(text.replace(' ', 'T').replace('+00', 'Z'));
    return new Date(momentShown(moment, recording, saidAt)).toISOString();
  }
  const isYearLast = text[2] === '-';
  const turned = (day: string) => (isYearLast ? day.split('-').reverse().join('-') : day);
  return turned(dayShown(turned(text), recording));
}

/** An example and the time of its reply. */
export interface Recorded<Example> {
  example: Example;
  saidAt: Date;
}

/** The examples in the order in which they were recorded, each with its fixed values. */
export function withFixedValues<Example>(
  examples: ReadonlyMap<string, Recorded<Example>>,
  recording: Recording,
): Map<string, Example> {
  const ids = new Map<string, string>();
  const secrets = new Map<string, string>();

  let saidAt = recording.startedAt;

  const textShown = (text: string, place: string): string => {
    let count = 0;
    return text
      .replace(ID, (id) => {
        const known = ids.get(id) ?? idOf(`${place} ${count++}`);
        ids.set(id, known);
        return known;
      })
      .replace(MOMENT_OR_DAY, (found) => timeShown(found, recording, saidAt));
  };

  const valueShown = (value: unknown, name: string, place: string): unknown => {
    if (typeof value === 'number') return measured[name] ?? value;
    if (typeof value === 'string') {
      if (name === 'next_cursor') {
        const read = Buffer.from(value, 'base64url').toString();
        return Buffer.from(textShown(read, place)).toString('base64url');
      }
      // A worker may have started a job before the reply that it is queued.
      if (name === 'state' && value === 'running') return 'queued';
      if (name === 'month') return monthShown(value, recording);
      if (secret.test(name)) secrets.set(value, masked(value));
      return textShown(secrets.get(value) ?? value, place);
    }
    if (Array.isArray(value)) {
      return value.map((one, index) => valueShown(one, name, `${place}.${index}`));
    }
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        const keyShown = textShown(key, place);
        return [keyShown, valueShown(one, key, `${place}.${keyShown}`)];
      }),
    );
  };

  return new Map(
    [...examples].map(([name, { example, ...recorded }]) => {
      saidAt = recorded.saidAt;
      let text = JSON.stringify(example);
      for (const [from, to] of recording.replaced) text = text.replaceAll(from, to);
      const shown = valueShown(JSON.parse(text), '', name);
      // A code is also in files and in the log, so it is replaced there too.
      let known = JSON.stringify(shown);
      for (const [from, to] of secrets) if (from.length >= 16) known = known.replaceAll(from, to);
      return [name, JSON.parse(known) as Example] as const;
    }),
  );
}
