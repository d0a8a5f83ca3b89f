import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toneOf } from './avatar.tsx';

it('gives an account always the same colour, and each colour to about as many accounts', () => {
  const ids = Array.from({ length: 500 }, (_, index) => `account-${index}`);
  const counts = new Map<string, number>();
  for (const tone of ids.map(toneOf)) counts.set(tone, (counts.get(tone) ?? 0) + 1);
  expect(ids.map(toneOf)).toEqual(ids.map(toneOf));
  expect(counts.size).toBe(5);
  for (const count of counts.values()) expect(count).toBeGreaterThan(50);
  expect(toneOf(null)).toBe('neutral');
});

it('has initials that stand out from each colour', () => {
  const css = readFileSync(new URL('../theme/tailwind.css', import.meta.url), 'utf8');
  const token = (name: string) =>
    new RegExp(`--color-${name}: (#[0-9a-f]{6});`).exec(css)?.[1] ?? '';
  const pairs = [
    ['primary-tint', 'primary-dark'],
    ...['success', 'warning', 'violet', 'neutral'].map((tone) => [`${tone}-bg`, `${tone}-fg`]),
  ];
  const ratios = pairs.map(([bg = '', fg = '']) => contrast(token(bg), token(fg)));
  for (const ratio of ratios) expect(ratio).toBeGreaterThanOrEqual(4.5);
});

/** The contrast of two colours, as WCAG 2 defines it. */
function contrast(...colours: [string, string]): number {
  const [lighter = 0, darker = 0] = colours.map(luminance).sort((one, other) => other - one);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
