import { expect, test } from 'vitest';
import { withInserted, withoutBroken } from './whole-placeholder.ts';

const text = 'Hi {name}, pay {price}.';

test.each([
  ['Backspace behind it', 'Hi {name, pay {price}.', 8],
  ['Delete before it', 'Hi name}, pay {price}.', 3],
  ['a deletion within it', 'Hi {nme}, pay {price}.', 5],
])('%s removes a placeholder as a whole', (_, after, caret) => {
  expect(withoutBroken(text, after, caret)).toEqual({ text: 'Hi , pay {price}.', caret: 3 });
});

test.each([
  ['a character beside it', 'Hi{name}, pay {price}.', 2],
  ['what was selected', 'Hi {price}.', 3],
  ['nothing', `${text}!`, text.length],
])('deleting %s removes no placeholder', (_, after, caret) => {
  expect(withoutBroken(text, after, caret)).toBeUndefined();
});

test('a placeholder is inserted in place of what is selected', () => {
  expect(withInserted('Hi Anna!', 'name', 3, 7)).toEqual({ text: 'Hi {name}!', caret: 9 });
});
