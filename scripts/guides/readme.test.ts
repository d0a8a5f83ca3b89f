import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { currencies, MAX_PACKAGES } from '@linekeeper/contract/credits/top-ups.ts';
import { MAX_MORE_DAYS } from '@linekeeper/contract/lines/bulk.ts';
import { costOfMonths, firstPrices as prices } from '@linekeeper/contract/pricing.ts';
import { expect, test } from 'vitest';
import { people } from '../demo/furnish.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');

/** The cells after the first one, in the row of a table that begins with this word. */
function cellsOf(page: string, word: string): string[] {
  const [, cells = ''] = new RegExp(`^ *\\| ?${word} ?\\|(.*)\\|$`, 'm').exec(read(page)) ?? [];
  return cells.split('|').map((cell) => cell.trim());
}

test('README is read in three minutes, and begins with the demo', () => {
  expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(700);
  const [first, second] = [...readme.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect([first, second]).toEqual(['Try the demo', 'Use your own OSCam']);
  const { email, password } = people.admin;
  expect(readme.replace(/\s+/g, ' ')).toContain(`\`${email}\` with \`${password}\``);
});

test('README names the version that this is', () => {
  const { version } = JSON.parse(read('package.json'));
  expect(readme).toContain(`**Version ${version}.**`);
});

test.each(['README.md', 'docs/how-to/prices.md', 'docs/how-to/for-resellers.md'])(
  '%s has the prices of lines',
  (page) => {
    const count = prices.length;
    expect(cellsOf(page, 'Months').slice(0, count)).toEqual(
      prices.map(({ months }) => String(months)),
    );
    expect(cellsOf(page, 'Credits').slice(0, count)).toEqual(
      prices.map(({ cost }) => String(cost)),
    );
  },
);

test('the guide to prices counts as the panel does', () => {
  const page = read('docs/how-to/prices.md').replace(/\s+/g, ' ');
  expect(page).toContain(`Nine months cost ${costOfMonths(9, prices)} credits, as 12 do`);
  expect(page).toContain(`13 months cost ${costOfMonths(13, prices)}`);
  const [, credits = '', money = ''] = /package of (\d+) credits for €(\d+)/.exec(page) ?? [];
  const each = Number(money) / Number(credits);
  expect(cellsOf('docs/how-to/prices.md', 'Price')).toEqual(
    prices.map(({ cost }) => `€${(cost * each).toFixed(2)}`),
  );
  expect(page).toContain(`Up to ${MAX_PACKAGES} |`);
  expect(page).toContain(`up to ${MAX_MORE_DAYS} days`);
  expect(page).toContain(`in ${currencies.slice(0, -1).join(', ')} or ${currencies.at(-1)}.`);
});

test('the first hour has the firewall of the guide to hardening', () => {
  const [, rules = ''] = /```nft\n(.*?)```/s.exec(read('docs/how-to/hardening.md')) ?? [];
  const [, written = ''] =
    /nftables\.conf <<'END'\n(.*?) *END\n/s.exec(read('docs/tutorials/first-hour.md')) ?? [];
  expect(written.replace(/^ {3}/gm, '')).toBe(rules);
});
