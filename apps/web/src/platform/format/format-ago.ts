import { formatDate } from './format-moment.ts';

/** Formats by language and style, cached because creating one is slower than formatting a whole list. */
const formats = new Map<string, Intl.RelativeTimeFormat>();

/** The format of relative times, such as 'in 3 days' or '2 hours ago'; `auto` also has 'tomorrow' and 'now'. */
export function relativeFormat(
  language: string,
  numeric: 'auto' | 'always',
): Intl.RelativeTimeFormat {
  const key = `${language} ${numeric}`;
  const format = formats.get(key) ?? new Intl.RelativeTimeFormat(language, { numeric });
  formats.set(key, format);
  return format;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Minutes and hours of the last day in words of the language, before that the day. Seconds are 'now', or counted. */
export function formatAgo(
  moment: string,
  language: string,
  { now = Date.now(), inSeconds = false } = {},
): string {
  const passed = now - Date.parse(moment);
  if (passed >= DAY_MS || passed < -MINUTE_MS) return formatDate(moment, language);
  if (passed < MINUTE_MS) {
    const seconds = Math.max(0, Math.round(passed / 1000));
    return inSeconds
      ? relativeFormat(language, 'always').format(-seconds, 'second')
      : relativeFormat(language, 'auto').format(0, 'second');
  }
  const words = relativeFormat(language, 'auto');
  if (passed < HOUR_MS) return words.format(-Math.floor(passed / MINUTE_MS), 'minute');
  return words.format(-Math.floor(passed / HOUR_MS), 'hour');
}
