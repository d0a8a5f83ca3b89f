/** The time as 'h:mm a' in English, and as 'HH:mm' in the other languages, which do not use am and pm. */
function timeOfDay(hour: number, minute: string, language: string): string {
  if (!language.startsWith('en')) return `${String(hour).padStart(2, '0')}:${minute}`;
  return `${hour % 12 || 12}:${minute} ${hour < 12 ? 'am' : 'pm'}`;
}

/** Formats by language, cached because creating one is slower than formatting a whole list. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(language: string, timeZone: string | undefined): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(language, {
      year: 'numeric',
      month: 'short',
      day: '2-digit',
      hour: 'numeric',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
    });
  formats.set(key, format);
  return format;
}

function format(moment: string | number, language: string, timeZone?: string) {
  const parts = formatOf(language, timeZone).formatToParts(new Date(moment));
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((candidate) => candidate.type === type)?.value ?? '';
  return {
    date: `${part('day').padStart(2, '0')} ${part('month').replace('.', '')} ${part('year')}`,
    time: timeOfDay(Number(part('hour')), part('minute'), language),
  };
}

/** Formats a moment as 'DD MMM YYYY h:mm a', in the user's time zone; with 24 hours in all languages except English. */
export function formatMoment(moment: string, language: string): string {
  const { date, time } = format(moment, language);
  return `${date} ${time}`;
}

/** 'DD MMM YYYY': the day of a moment, in the user's time zone. */
export function formatDate(moment: string, language: string): string {
  return format(moment, language).date;
}

export function formatMomentInUtc(moment: string, language: string): string {
  const { date, time } = format(moment, language, 'UTC');
  return `${date} ${time} UTC`;
}

export function formatTime(moment: number, language: string): string {
  return format(moment, language).time;
}

/** The time of a moment, with its day where that is not today. */
export function formatSince(moment: number, language: string): string {
  const date = new Date(moment);
  const isFromToday = date.toDateString() === new Date().toDateString();
  return isFromToday ? formatTime(moment, language) : formatMoment(date.toISOString(), language);
}

/** Formats the day of a moment, such as '12 Nov', with its year unless that is the present one. */
export function formatDayOfYear(moment: string, language: string): string {
  const date = new Date(moment);
  if (date.getFullYear() !== new Date().getFullYear()) return formatDate(moment, language);
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' }).format(date);
}

/** 'Saturday, 21 Nov 2026': a day without a time, and so without a time zone. */
export function formatWeekday(day: string, language: string): string {
  const moment = `${day}T00:00:00Z`;
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  return `${weekday.format(new Date(moment))}, ${format(moment, language, 'UTC').date}`;
}
