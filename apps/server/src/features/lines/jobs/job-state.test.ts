import { expect, test } from 'vitest';
import { type JobState, mayFollow } from './job-state.ts';

const states: JobState[] = ['queued', 'running', 'done', 'cancelled', 'undone'];
const after = (from: JobState) => states.filter((to) => mayFollow(to, from));

test.each<[JobState, JobState[]]>([
  ['queued', ['running', 'done', 'cancelled']],
  ['running', ['running', 'done', 'cancelled']],
  ['done', ['undone']],
  ['cancelled', ['undone']],
  ['undone', []],
])('a job that is %s may only become %j', (from, expected) => {
  expect(after(from)).toEqual(expected);
});
