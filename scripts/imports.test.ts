import { expect, test } from 'vitest';
import { folderCircles } from './imports.ts';

test('folders that need each other by different files are a circle, with its imports', () => {
  const circles = folderCircles('src', [
    ['src/forms/field.ts', 'src/list/rows.ts'],
    ['src/list/table/cell.ts', 'src/forms/text/box.ts'],
    ['src/list/rows.ts', 'src/list/table/cell.ts'],
    ['src/page.ts', 'src/list/rows.ts'],
    ['src/list/rows.ts', 'node_modules/react/index.js'],
  ]);
  expect(circles).toEqual([
    {
      folder: 'src',
      members: ['forms', 'list'],
      ties: [
        'src/forms/field.ts → src/list/rows.ts',
        'src/list/table/cell.ts → src/forms/text/box.ts',
      ],
    },
  ]);
});

test('a folder and a file beside it may not need each other either', () => {
  const circles = folderCircles('src', [
    ['src/list/table/cell.ts', 'src/list/rows.ts'],
    ['src/list/rows.ts', 'src/list/table/row.ts'],
  ]);
  expect(circles).toMatchObject([{ folder: 'src/list', members: ['table', 'rows.ts'] }]);
});

test('folders that need each other in one direction are none', () => {
  expect(
    folderCircles('src', [
      ['src/app/main.ts', 'src/features/one.ts'],
      ['src/features/one.ts', 'src/shared/list/rows.ts'],
      ['src/features/two.ts', 'src/shared/forms/field.ts'],
    ]),
  ).toEqual([]);
});
