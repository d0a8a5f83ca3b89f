import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memorySettings } from '../memory.mjs';
import { root } from '../prepare.mjs';
import { isReleased } from '../release/files.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe.each([
  ['Dockerfile', 'DATA_DIR'],
  ['deploy/agent.Dockerfile', 'AGENT_DIR'],
])('%s', (file, data) => {
  const instructions = read(file)
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line));
  const last = (name: string) => instructions.findLast((line) => line.startsWith(`${name} `));
  const environment = instructions.filter((line) => line.startsWith('ENV ')).join(' ');

  test('is in a release, which contains what it copies', () => {
    expect(isReleased(file)).toBe(true);
    expect(last('FROM')).toBe(`FROM \${BASE}`);
    // A release's own build makes these two.
    expect([
      'COPY . ./',
      'COPY bin/node apps/agent/dist/linekeeper-agent.mjs LICENSES ./',
    ]).toContain(last('COPY'));
  });

  test('runs one program, not a shell, as an unprivileged user', () => {
    const program = JSON.parse(last('CMD')?.slice('CMD '.length) ?? '');
    expect(program[0]).toBe('node');
    expect(program[1] === 'linekeeper-agent.mjs' || existsSync(join(root, program[1]))).toBe(true);
    expect(last('USER')).toBe('USER 1000:1000');
    expect(last('STOPSIGNAL')).toBe('STOPSIGNAL SIGTERM');
    expect(last('HEALTHCHECK')).toMatch(/CMD \["node", .*\/health/);
    expect(environment).toContain(`${data}=${last('VOLUME')?.slice('VOLUME '.length)}`);
  });
});

test('the image keeps memory small as `npm start` does, and so does compose.yml, which runs it', () => {
  for (const [name, value] of Object.entries(memorySettings)) {
    expect(read('Dockerfile').replaceAll('"', '')).toContain(`${name}=${value}`);
    expect(read('compose.yml')).not.toContain(name);
  }
});

test('settings, keys and data beside a release stay out of its image', () => {
  const rules = read('.dockerignore').split('\n');
  expect(rules).toEqual(expect.arrayContaining(['.*', 'data', 'backups', 'secret.key*']));
});
