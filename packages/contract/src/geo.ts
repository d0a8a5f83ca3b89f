import * as z from 'zod';
import { endpoint } from './endpoint.ts';

export const getGeo = endpoint('getGeo', 'GET /api/geo', {
  summary: 'Get the country of your address',
  description: '`country_code` is `null` if it is unknown.',
  access: 'public',
  output: z.object({ country_code: z.string().nullable() }),
});
