import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestPanel, type TestPanel } from '../../testing/panel.ts';
import { asCountryCode } from './country-of.ts';

let behind: TestPanel;
let open: TestPanel;
beforeAll(async () => {
  [behind, open] = await Promise.all([
    startTestPanel('postgres', { TRUST_PROXY: 'loopback' }),
    startTestPanel('postgres', { COUNTRY_HEADER: 'X-Country' }),
  ]);
});
afterAll(async () => {
  await behind?.stop();
  await open?.stop();
});

/** Addresses whose registries have named these countries for decades. */
const GERMAN = '193.99.144.80';
const POLISH = '212.77.98.9';

async function ask(panel: TestPanel, headers: Record<string, string>): Promise<unknown> {
  const reply = await fetch(`${panel.url}/api/geo`, { headers });
  expect(reply.status).toBe(200);
  const body = (await reply.json()) as { country_code: unknown };
  expect(Object.keys(body)).toEqual(['country_code']);
  return body.country_code;
}
const from = (address: string, country?: string) => ({
  'x-forwarded-for': address,
  ...(country === undefined ? {} : { 'cf-ipcountry': country }),
});

test('a trusted proxy says the country; without it the list of addresses does', {
  tags: ['spec:7.44'],
}, async () => {
  expect(await ask(behind, from(GERMAN, 'br'))).toBe('BR');
  expect(await ask(behind, from(GERMAN))).toBe('DE');
  expect(await ask(behind, from(POLISH))).toBe('PL');
  expect(await ask(behind, from('2a02:2e0:3fe:1001:302::'))).toBe('DE');
  expect(await ask(behind, from(`::ffff:${POLISH}`))).toBe('PL');
});

const noCountries = [
  'EU',
  'ap',
  'UN',
  'SU',
  'UK',
  'XX',
  'T1',
  'zz',
  'Germany',
  'D',
  '',
  '<b>',
  'QQ',
];
test.each(noCountries)('a header that says %j counts as none', async (country) => {
  expect(await ask(behind, from(GERMAN, country))).toBe('DE');
  expect(asCountryCode(country)).toBe(null);
});

test('of all pairs of letters the 249 of ISO 3166-1 are countries, and Kosovo', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  const countries = pairs.filter((pair) => asCountryCode(pair));
  expect(countries).toHaveLength(250);
  expect(countries).toEqual(expect.arrayContaining(['DE', 'GB', 'CW', 'TL', 'XK']));
});

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '192.168.0.9',
  '169.254.169.254',
  '::1',
  'fd00::1',
  '100.64.0.1',
])('%s is in no country, whatever a header says', async (address) => {
  expect(await ask(behind, from(address, 'DE'))).toBe(null);
});

test('nobody else is believed: neither what country nor what address', {
  tags: ['spec:7.44'],
}, async () => {
  expect(await ask(open, from(GERMAN, 'DE'))).toBe(null);
  expect(await ask(open, { ...from(GERMAN), 'x-country': 'DE' })).toBe(null);
  // The proxy's own request is about no visitor.
  expect(await ask(behind, { 'cf-ipcountry': 'DE' })).toBe(null);
});
