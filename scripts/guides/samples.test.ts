import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { summarise } from '@linekeeper/line-files/found-line.ts';
import { readLinesFile } from '@linekeeper/line-files/read-file.ts';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../../apps/web/src/features/lines/import/read-accounts.ts';
import { linesIn, messageOf } from '../../packages/line-files/src/testing/lines-in.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/how-to/coming-from.md'), 'utf8');

interface Sample {
  heading: string;
  text: string;
  /** The result of each line in the table below the sample, by username. */
  becomes: Map<string, string>;
}

const samples: Sample[] = page.split(/^## /m).flatMap((section) => {
  const [heading = ''] = section.split('\n');
  return section.split(/^```csv\n/m).flatMap((part, index) => {
    if (index === 0) return [];
    const [text = '', after = ''] = part.split(/^```$/m);
    const rows = [...after.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)];
    const becomes = new Map(rows.map(([, name = '', fate = '']) => [name, fate]));
    return [{ heading, text, becomes }];
  });
});

const DAY = /\d{4}-\d\d-\d\d/;

describe('the samples of other panels', () => {
  test.each(samples.filter(({ becomes }) => becomes.size > 0))(
    'of $heading are read as the page says',
    ({ text, becomes }) => {
      const lines = linesIn(text);
      expect(lines.map(({ username }) => username)).toEqual([...becomes.keys()]);
      for (const line of lines) {
        const fate = becomes.get(line.username) ?? '';
        const state = line.fault ? 'Refused' : line.isSuspended ? 'Suspended' : 'Active';
        expect(fate, messageOf(line) ?? '').toMatch(new RegExp(`^${state}\\b`));
        if (!line.fault) expect(line.expiry, fate).toBe(DAY.exec(fate)?.[0] ?? null);
      }
      expect(summarise(lines).asked).toEqual([]);
    },
  );

  test('are three files of lines and one of accounts', () => {
    expect(samples.filter(({ becomes }) => becomes.size > 0)).toHaveLength(3);
    const [accounts, ...others] = samples.filter(({ becomes }) => becomes.size === 0);
    expect(others).toEqual([]);
    const read = readLinesFile(Buffer.from(accounts?.text ?? ''));
    const file = 'file' in read && read.file.format === 'csv' ? read.file : undefined;
    const found = file && accountsOf(file);
    expect(found?.ignored).toEqual([]);
    expect(
      found?.accounts.map(({ row, fault }) => [row.email, row.credits, row.owner, fault]),
    ).toEqual([
      ['ada@example.org', '50', undefined, null],
      ['ben@example.org', '10', 'ada@example.org', null],
    ]);
  });

  test('of CMUM begins with the row that the page puts at its top', () => {
    const [, heading = ''] = /```text\n *(.*)\n/.exec(page) ?? [];
    expect(heading).toMatch(/^user;password;/);
    expect(samples.find((sample) => sample.heading === 'CMUM')?.text).toContain(`${heading}\n`);
  });
});
