import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileOf, pictures, type Size, sizes } from '../../../../e2e/support/pictures.ts';
import { type ScreenName, screens } from './screens.ts';

const folder = join(import.meta.dirname, '../../../../docs/screenshots');
const files = readdirSync(folder).filter((file) => file.endsWith('.png'));
const allSizes = Object.keys(sizes) as Size[];

it.each(Object.keys(screens) as ScreenName[])('has pictures of %s in every size', (name) => {
  const own = pictures.filter(({ screen }) => screen === name);
  expect(own).not.toEqual([]);
  for (const size of allSizes) {
    expect(files).toEqual(expect.arrayContaining(own.map((picture) => fileOf(picture, size))));
  }
});

it('has no picture of a screen that is no more', () => {
  const taken = pictures.flatMap((picture) => allSizes.map((size) => fileOf(picture, size)));
  expect(files.filter((file) => !taken.includes(file))).toEqual([]);
});

it('has the list of lines in every language', () => {
  for (const language of ['de', 'pl', 'pt']) {
    expect(pictures).toContainEqual(expect.objectContaining({ screen: 'lines', language }));
  }
});

it('shows every picture, and none that is missing', () => {
  const page = readFileSync(join(folder, 'README.md'), 'utf8');
  const shown = [...page.matchAll(/src="([^"]+)"/g)].map(([, file]) => file);
  expect(shown.toSorted()).toEqual(files.toSorted());
});
