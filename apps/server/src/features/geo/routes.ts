import * as contract from '@linekeeper/contract/geo.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { asCountryCode, countryOf, isPublicAddress } from './country-of.ts';

export const geoRoutes = [
  route(contract.getGeo, async ({ address, is_proxied, headers, config, log }) => {
    if (!isPublicAddress(address)) return { country_code: null };
    // Any client can send the header, but a trusted proxy overwrites it.
    const ofProxy = is_proxied ? asCountryCode(headers.get(config.country_header)) : null;
    if (ofProxy) return { country_code: ofProxy };
    const country_code = await countryOf(address).catch((error: unknown) => {
      log.error({ err: error }, 'the countries of addresses could not be read');
      return null;
    });
    return { country_code };
  }),
];
