import { expect, it } from 'vitest';
import {
  allMatching,
  isSelected,
  nothingSelected,
  pageToggled,
  rangeOf,
  toggled,
  underFilter,
} from './selection.ts';

const shown = ['a', 'b', 'c', 'd', 'e'];
const chosen = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].sort().join('');

it('chooses a line, and leaves it out again', () => {
  const one = toggled(nothingSelected, shown, 'b', false);
  expect(chosen(one)).toBe('b');
  expect(chosen(toggled(one, shown, 'b', false))).toBe('');
});

it('reaches from the line before to this one, in both directions', () => {
  const b = toggled(nothingSelected, shown, 'b', false);
  const toD = toggled(b, shown, 'd', true);
  expect(chosen(toD)).toBe('bcd');
  expect(chosen(toggled(toD, shown, 'a', true))).toBe('abcd');
  expect(chosen(toggled(toD, shown, 'c', true)), 'left out as a range').toBe('b');
});

it('takes one line where the range begins on another page', () => {
  expect(rangeOf(shown, 'from-before', 'c')).toEqual(['c']);
  expect(rangeOf(shown, null, 'c')).toEqual(['c']);
});

it('keeps lines of other pages beside those of this one', () => {
  const other = toggled(nothingSelected, ['z'], 'z', false);
  const both = pageToggled(other, shown, true);
  expect(chosen(both)).toBe('abcdez');
  expect(chosen(pageToggled(both, shown, false))).toBe('z');
});

it('has all that match while the filter stands', () => {
  const all = allMatching('status=active');
  expect(isSelected(all, 'never seen')).toBe(true);
  expect(underFilter(all, 'status=active')).toBe(all);
  expect(underFilter(all, 'status=expired')).toBe(nothingSelected);
});

it('falls back to what is shown when one of all is left out', () => {
  const rest = toggled(allMatching('any'), shown, 'c', false);
  expect(chosen(rest)).toBe('abde');
  expect(isSelected(rest, 'never seen')).toBe(false);
});
