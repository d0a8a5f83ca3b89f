import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { palette } from './palette.ts';

it('has the same colours as the tokens', () => {
  const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
  const tokens = Object.fromEntries(
    [...css.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]),
  );
  expect(tokens).toMatchObject(palette);
});
