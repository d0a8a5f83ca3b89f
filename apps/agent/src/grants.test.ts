import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkOptions } from './files/cccam-cfg.ts';
import { checkGroups } from './files/oscam-user.ts';
import { startTestAgent } from './testing.ts';

test('groups are numbers from 1 to 64', () => {
  expect(checkGroups('1')).toBe('1');
  expect(checkGroups('10, 2,64,2')).toBe('2,10,64');
  for (const wrong of ['', '0', '65', '1,', '1;2', 'a', '1 2', '-1', '1.5']) {
    expect(() => checkGroups(wrong)).toThrow(`OSCAM_GROUP '${wrong}' is not a list of groups`);
  }
});

test('F options are what CCcam’s own file says of an F line', () => {
  const right = ['', '1', '0 1 0', '1 0 1 { 0:0:1 }', '0 1 0 { 0100:000080, 0622:000000:1 }'];
  right.push(
    '5 0 1 { 0:0:3, 0100:000080:1 } { 0100:000080:15df }',
    '2 1 1 { } { } { } box-06.dyndns.example',
  );
  right.push(
    '5 0 1 { } { } { 12:00-17:00, 19:00-20:00 }',
    '5 1 1 { } { } { } 192.0.2.15',
    '1 {0:0:1}',
  );
  for (const text of right) expect(checkOptions(text)).toBe(text);
  expect(checkOptions('  1\t0 1  { 0:0:1 } ')).toBe('1 0 1 { 0:0:1 }');
  const wrong = [
    'yes',
    '{ 0:0:1 }',
    '1 2 1',
    '1 0 1 0',
    '1 0 1 { 0:0:1',
    '1 0 1 { 0 }',
    '1 # note',
    '1\nF: a b',
  ];
  wrong.push(
    '1 { 0:0:1 } { 0:0 }',
    '300',
    '1 { } { } { 25:00-26:00 }',
    '1 { } { } { } { }',
    '1 } ',
    'F: a b 1',
  );
  for (const text of wrong) {
    expect(() => checkOptions(text)).toThrow(
      `CCCAM_F_OPTIONS '${text}' is not a valid list of options`,
    );
  }
});

test('changed settings reach the rows that had the old one, and no others', async () => {
  const first = await startTestAgent({ oscamGroup: '1,2', cccamOptions: '1 0 1 { 0:0:1 }' });
  for (const name of ['bob', 'eva', 'gone']) await first.add(name);
  expect(first.text('CCcam.cfg')).toContain('F: bob pw 1 0 1 { 0:0:1 }\n');
  await first.remove('gone');
  const own = (file: string, from: string, to: string) =>
    writeFileSync(`${first.dir}/${file}`, first.text(file).replace(from, to));
  own('CCcam.cfg', 'F: eva pw 1 0 1 { 0:0:1 }', 'F: eva pw 3');
  own(
    'oscam.user',
    'user = eva\npwd = pw\nexpdate = 2099-12-31\ngroup = 1,2',
    'user = eva\npwd = pw\nexpdate = 2099-12-31\ngroup = 9',
  );
  await first.add('tom');
  await first.close();

  const second = await startTestAgent({ dir: first.dir, oscamGroup: '5' });
  expect(second.text('CCcam.cfg').match(/^F: .*$/gm)).toEqual([
    'F: bob pw',
    'F: eva pw 3',
    'F: tom pw',
  ]);
  const groups = () => second.text('oscam.user').match(/(?<=^user = |^group = ).*$/gm);
  expect(groups()).toEqual(['bob', '5', 'eva', '9', 'tom', '5']);
  await second.add('gone');
  expect(groups()).toEqual(['bob', '5', 'eva', '9', 'gone', '5', 'tom', '5']);
  // The operator sets the group of `tom` to 9 before the agent's setting gets this value.
  await second.close();
  const tom = 'user = tom\npwd = pw\nexpdate = 2099-12-31\ngroup = ';
  writeFileSync(`${first.dir}/oscam.user`, second.text('oscam.user').replace(`${tom}5`, `${tom}9`));

  // A group that the operator once set stays, although it equals the agent's present setting.
  const third = await startTestAgent({ dir: first.dir, oscamGroup: '9' });
  await third.close();
  const last = await startTestAgent({ dir: first.dir, oscamGroup: '1' });
  expect(last.text('oscam.user').match(/(?<=^group = ).*$/gm)).toEqual(['1', '9', '1', '9']);
});

test('a changed setting reaches the rows of a file that could not be written at first', async () => {
  const first = await startTestAgent({ oscamGroup: '1' });
  await first.add('bob');
  await first.close();
  const [file, long] = [join(first.dir, 'oscam.user'), join(first.dir, 'x'.repeat(250))];
  // The name is too long for a temporary file beside it.
  renameSync(file, long);
  symlinkSync(long, file);
  const second = await startTestAgent({ dir: first.dir, oscamGroup: '5' });
  expect((await second.add('eva')).status).toBe(500);
  await second.close();
  rmSync(file);
  renameSync(long, file);
  const third = await startTestAgent({ dir: first.dir, oscamGroup: '5' });
  expect(third.text('oscam.user').match(/(?<=^user = |^group = ).*$/gm)).toEqual([
    ...['bob', '5', 'eva', '5'],
  ]);
});
