import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Example, faultsOf } from '../testing/examples/recorder.ts';
import { recordExamples } from '../testing/examples/scenario.ts';
import { endpoints } from '../testing/wire/endpoints.ts';

const file = fileURLToPath(new URL('../../../../packages/contract/examples.json', import.meta.url));

type Examples = Record<string, Example>;
let recorded: Examples;
beforeAll(async () => {
  recorded = await recordExamples();
});

const readStored = (): Examples => JSON.parse(readFileSync(file, 'utf8'));

/** True with `node_modules/.bin/node node_modules/.bin/vitest run http/examples -u`, which writes the file again. */
function isToBeWritten(): boolean {
  const { snapshotState } = expect.getState() as { snapshotState?: object };
  return (snapshotState as { snapshotUpdateState?: string })?.snapshotUpdateState === 'all';
}

const names = endpoints.map(({ name }) => name);

describe('packages/contract/examples.json', () => {
  test('has an example of every call, and the calls can be made as it says', () => {
    if (isToBeWritten()) writeFileSync(file, `${JSON.stringify(recorded, null, 1)}\n`);
    const stored = readStored();
    expect(Object.keys(recorded)).toEqual(names);
    expect(Object.keys(stored)).toEqual(Object.keys(recorded));
  });

  test('names no machine, no test and nothing that opens something', () => {
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(
      /127\.0\.0\.1|localhost|unique|sk_test|whsec_(?!x+")|"[\w.-]*-test\b|\/tmp\//,
    );
    // The only letter in masked secrets is x.
    const keys = [...text.matchAll(/"(?:key|start|token|challenge|secret)": "([^"]*)"/g)];
    expect(keys.length).toBeGreaterThan(3);
    const masked = /^(?:lk_|whsec_)?(?:[0-9a-f-]{36}\.)?[xX7_.-]+$/;
    expect(keys.map(([, key = '']) => key).filter((key) => !masked.test(key))).toEqual([]);
  });

  test.each(endpoints)('$name is sent and answered as declared', (endpoint) => {
    expect(faultsOf(endpoint, recorded[endpoint.name] ?? {})).toEqual([]);
    expect(faultsOf(endpoint, readStored()[endpoint.name] ?? {})).toEqual([]);
  });
});
