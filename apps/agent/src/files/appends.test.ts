import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestAgent, temporaryFolder } from '../testing.ts';

const APPENDS = 2000;

const namesIn = (file: string, pattern: RegExp) => (file.match(pattern) ?? []).toSorted();

/**
 * Starts a shell that appends one line after another. A separate program writes each line, so there
 * is a delay between opening the file and writing to it.
 */
function keepAppending(path: string) {
  const loop = `i=0; while [ $i -lt ${APPENDS} ]; do /bin/echo "F: op-$i pw" >> "$0"; i=$((i+1)); done`;
  const child = spawn('/bin/sh', ['-c', loop, path], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  let isOver = false;
  const ended = once(child, 'exit').then(() => {
    isOver = true;
  });
  return { ended, isOver: () => isOver };
}

test('2,000 lines appended beside many writes are all kept, and so is what was added', async () => {
  const dir = temporaryFolder();
  const path = join(dir, 'CCcam.cfg');
  writeFileSync(path, '');
  const agent = await startTestAgent({ dir });
  const appending = keepAppending(path);
  const added: string[] = [];
  for (let index = 0; !appending.isOver(); index += 1) {
    const answer = await agent.add(`line-${index}`);
    expect([answer.status, answer.body.message]).toEqual([201, 'User added successfully']);
    added.push(`F: line-${index} pw`);
  }
  await appending.ended;
  await agent.close();
  expect(added.length).toBeGreaterThan(10);
  const file = readFileSync(path, 'utf8');
  const wanted = Array.from({ length: APPENDS }, (_, index) => `F: op-${index} pw`);
  expect(namesIn(file, /^F: op-.*$/gm)).toEqual(wanted.toSorted());
  expect(namesIn(file, /^F: line-.*$/gm)).toEqual(added.toSorted());
}, 120_000);

test('what is appended to a file that was replaced meanwhile comes into the new one', async () => {
  const dir = temporaryFolder();
  const path = join(dir, 'CCcam.cfg');
  writeFileSync(path, 'F: op pw\n');
  const agent = await startTestAgent({ dir });
  // The file is opened before the agent's write and written to after it, as a slow shell does.
  const slow = openSync(path, 'a');
  await agent.add('bob');
  await agent.add('eva');
  writeSync(slow, 'F: slow pw\n');
  appendFileSync(path, 'F: quick pw\n');
  await vi.waitFor(() => expect(agent.text('CCcam.cfg')).toContain('F: slow pw\n'), 10_000);
  writeSync(slow, 'F: slower pw\n');
  closeSync(slow);
  await agent.close();
  const file = agent.text('CCcam.cfg');
  expect(namesIn(file, /^F: .*$/gm)).toEqual(
    ['bob', 'eva', 'op', 'quick', 'slow', 'slower'].map((name) => `F: ${name} pw`),
  );
  expect(file.startsWith('F: op pw\n# BEGIN linekeeper\n')).toBe(true);
});

test('an editor that overwrites the file it has open wins over the agent', async () => {
  const dir = temporaryFolder();
  const path = join(dir, 'CCcam.cfg');
  writeFileSync(path, 'F: op pw\nF: old pw\n');
  const agent = await startTestAgent({ dir });
  const editor = openSync(path, 'r+');
  await agent.add('bob');
  writeSync(editor, 'F: op pw\nF: new pw\n', 0);
  closeSync(editor);
  await vi.waitFor(() => expect(agent.text('CCcam.cfg')).toContain('F: new pw\n'), 10_000);
  expect(namesIn(agent.text('CCcam.cfg'), /^F: .*$/gm)).toEqual([
    'F: bob pw',
    'F: new pw',
    'F: op pw',
  ]);
});
