import * as z from 'zod';
import { endpoint } from './endpoint.ts';

export const getGeo = endpoint('getGeo', 'GET /api/geo', {
  summary: 'Get the country of your address',
  description:
    'Returns the country of the address that makes the call. `country_code` is `null` if it is unknown.',
  access: 'public',
  output: z.object({ country_code: z.string().nullable() }),
});
