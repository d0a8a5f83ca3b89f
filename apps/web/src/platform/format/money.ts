import * as z from 'zod';
import { localeOf } from '#platform/i18n/languages.ts';

/** A price as it is typed, which must be above 0. */
export const priceField = z
  .string({ error: 'REQUIRED' })
  .trim()
  .min(1, { error: 'REQUIRED' })
  .regex(/^\d{1,6}([.,]\d{1,2})?$/, { error: 'INVALID_VALUE' })
  .refine((text) => minorOf(text) > 0, { error: 'INVALID_VALUE' });

/** A typed price in hundredths of its currency: 50, 49.90 and 49,90 are accepted. */
export function minorOf(text: string): number {
  const [whole = '0', part = ''] = text.trim().split(/[.,]/);
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

/** Hundredths of a typed price, or the text itself if it is no price. */
export function minorOfTyped(text: string): number | string {
  return /^\d{1,6}([.,]\d{1,2})?$/.test(text.trim()) ? minorOf(text) : text.trim();
}

export function typedPrice(minor: number): string {
  return (minor / 100).toFixed(2);
}

export function formatPercent(share: number, language: string): string {
  return new Intl.NumberFormat(localeOf(language), { style: 'percent' }).format(share);
}
