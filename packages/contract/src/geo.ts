import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import type { Language } from './languages.ts';

/** The language of a country, for browsers whose own language the panel lacks. */
export const countryLanguages: Readonly<Record<string, Language>> = {
  us: 'en',
  gb: 'en',
  ca: 'en',
  au: 'en',
  nz: 'en',
  de: 'de',
  at: 'de',
  ch: 'de',
  pl: 'pl',
  pt: 'pt',
  br: 'pt',
};

export const getGeo = endpoint('getGeo', 'GET /api/geo', {
  summary: 'Get the country of your address',
  description: '`country_code` is `null` if it is unknown.',
  access: 'public',
  output: z.object({
    /** Two capital letters, as ISO 3166-1 has them; null if unknown. */
    country_code: z.string().nullable(),
  }),
});
