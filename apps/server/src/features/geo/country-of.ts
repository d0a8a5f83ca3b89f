import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ipaddr from 'ipaddr.js';
import { type CountryResponse, Reader } from 'maxmind';

/** Which country has which addresses, as the registries of addresses say; comes with the package. */
const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';

type Countries = Reader<{ country_code?: string } & CountryResponse>;

let countries: Promise<Countries> | undefined;

/** Read at the first question, because most panels are never asked. */
async function openCountries(): Promise<Countries> {
  return new Reader(await readFile(fileURLToPath(import.meta.resolve(DATABASE))));
}

/** Two capital letters; null for all else, such as T1 for Tor, and for XX, which stands for unknown. */
export function asCountryCode(text: string | null): string | null {
  const code = text?.toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(code) && code !== 'XX' ? code : null;
}

/** Public addresses only: those of one's own networks are in no country. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/** The country of a public address; null if it is unknown. */
export async function countryOf(address: string): Promise<string | null> {
  countries ??= openCountries();
  const found = (await countries).get(ipaddr.process(address).toString());
  return asCountryCode(found?.country_code ?? null);
}
