import { formatMoment, formatTime } from './format-moment.ts';

/** The time of a moment, with its day where that is not today. */
export function formatSince(moment: number, language: string): string {
  const date = new Date(moment);
  const isFromToday = date.toDateString() === new Date().toDateString();
  return isFromToday ? formatTime(moment, language) : formatMoment(date.toISOString(), language);
}
