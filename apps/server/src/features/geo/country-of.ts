import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ipaddr from 'ipaddr.js';
import { type CountryResponse, Reader } from 'maxmind';

/** The package with countries of addresses, by their registries. */
const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';

type Countries = Reader<{ country_code?: string } & CountryResponse>;

let countries: Promise<Countries> | undefined;

/** Opens the database of countries at the first call, because most panels never need it. */
async function openCountries(): Promise<Countries> {
  return new Reader(await readFile(fileURLToPath(import.meta.resolve(DATABASE))));
}

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Codes of unions, parts of countries and tests, which have names but are not in ISO 3166-1. */
const NO_COUNTRIES = /^(AC|CP|CQ|DG|EA|EU|EZ|IC|QO|TA|UN|XA|XB|ZZ)$/;

/** True for codes in use, unlike those that were replaced by others, such as SU and UK. */
function isInUse(code: string): boolean {
  return new Intl.Locale(`und-${code}`).region === code;
}

/**
 * Two capital letters; null for a code that is not a country's, such as EU, XX for unknown and T1
 * for Tor. XK counts as Kosovo, as in most software, although ISO has not assigned it.
 */
export function asCountryCode(text: string | null): string | null {
  if (!text || !/^[a-z]{2}$/i.test(text)) return null;
  const code = text.toUpperCase();
  const isCountry = names.of(code) !== undefined && isInUse(code) && !NO_COUNTRIES.test(code);
  return isCountry ? code : null;
}

/** True for a public address; private networks are in no country. */
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
