import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ipaddr from 'ipaddr.js';
import { type CountryResponse, Reader } from 'maxmind';

/** Countries of addresses, by their registries; the file comes with the package. */
const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';

type Countries = Reader<{ country_code?: string } & CountryResponse>;

let countries: Promise<Countries> | undefined;

/** Read at the first question, because most panels are never asked. */
async function openCountries(): Promise<Countries> {
  return new Reader(await readFile(fileURLToPath(import.meta.resolve(DATABASE))));
}

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Unions, parts of countries and codes for tests, which have names but are not in ISO 3166-1. */
const NO_COUNTRIES = /^(AC|CP|CQ|DG|EA|EU|EZ|IC|QO|TA|UN|XA|XB|ZZ)$/;

/** False for codes that another one has replaced, such as SU and UK. */
function isInUse(code: string): boolean {
  return new Intl.Locale(`und-${code}`).region === code;
}

/**
 * Two capital letters; null for what is no country, such as EU, XX for unknown and T1 for Tor. Kosovo
 * has XK, as everywhere, although ISO has not assigned it.
 */
export function asCountryCode(text: string | null): string | null {
  if (!text || !/^[a-z]{2}$/i.test(text)) return null;
  const code = text.toUpperCase();
  const isCountry = names.of(code) !== undefined && isInUse(code) && !NO_COUNTRIES.test(code);
  return isCountry ? code : null;
}

/** Public addresses only: those of one's own networks are in no country. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/** The country of a public address; null if it is unknown. */
export async function countryOf(address: string): Promise<string | null> {
  countries ??= openCountries().catch((error: unknown) => {
    countries = undefined;
    throw error;
  });
  const found = (await countries).get(ipaddr.process(address).toString());
  return asCountryCode(found?.country_code ?? null);
}
