import { expect, it } from 'vitest';
import {
  allMatching,
  intersectSelection,
  isSelected,
  nothingSelected,
  pageToggled,
  rangeOf,
  toggled,
} from './selection.ts';

const shown = ['a', 'b', 'c', 'd', 'e'];
const chosen = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].sort().join('');

it('selects a line and deselects it', () => {
  const one = toggled(nothingSelected, shown, 'b', false);
  expect(chosen(one)).toBe('b');
  expect(chosen(toggled(one, shown, 'b', false))).toBe('');
});

it('selects a range in both directions', () => {
  const b = toggled(nothingSelected, shown, 'b', false);
  const toD = toggled(b, shown, 'd', true);
  expect(chosen(toD)).toBe('bcd');
  expect(chosen(toggled(toD, shown, 'a', true))).toBe('abcd');
  expect(chosen(toggled(toD, shown, 'c', true)), 'left out as a range').toBe('b');
});

it('selects one line if the range starts on another page', () => {
  expect(rangeOf(shown, 'from-before', 'c')).toEqual(['c']);
  expect(rangeOf(shown, null, 'c')).toEqual(['c']);
});

it('keeps selected lines of other pages', () => {
  const other = toggled(nothingSelected, ['z'], 'z', false);
  const both = pageToggled(other, shown, true);
  expect(chosen(both)).toBe('abcdez');
  expect(chosen(pageToggled(both, shown, false))).toBe('z');
});

it('contains lines of every page when all matches are selected', () => {
  expect(isSelected(allMatching, 'never seen')).toBe(true);
});

it('keeps only the shown lines when one of all is deselected', () => {
  const rest = toggled(allMatching, shown, 'c', false);
  expect(chosen(rest)).toBe('abde');
  expect(isSelected(rest, 'never seen')).toBe(false);
});

it('deselects lines that no longer match', () => {
  const two = pageToggled(nothingSelected, ['a', 'gone'], true);
  expect(chosen(intersectSelection(two, shown))).toBe('a');
  const one = toggled(nothingSelected, shown, 'a', false);
  expect(intersectSelection(one, shown), 'nothing to lose').toBe(one);
  expect(intersectSelection(allMatching, shown)).toBe(allMatching);
  expect(intersectSelection(allMatching, [])).toBe(nothingSelected);
});
