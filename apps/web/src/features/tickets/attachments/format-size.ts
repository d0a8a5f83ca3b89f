import { formatNumber } from '#platform/i18n/format-number.ts';

const KILOBYTE = 1024;
const MEGABYTE = KILOBYTE * KILOBYTE;

/** Formats a file's size, such as "4 KB" or "1.2 MB". */
export function formatSize(bytes: number, language: string): string {
  if (bytes < MEGABYTE) return `${formatNumber(Math.ceil(bytes / KILOBYTE), language)} KB`;
  return `${formatNumber(bytes / MEGABYTE, language, 1)} MB`;
}
