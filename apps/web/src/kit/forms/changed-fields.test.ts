import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

test('only what was edited is sent, as the contract reads it', () => {
  const stored = { username: 'anna', labels: 'active\nVIP', notes: '' };
  const entered = { username: 'anna', labels: 'active', notes: '' };
  const values = { username: 'anna', labels: [{ label: 'active' }], notes: '' };
  expect(changedFields(values, entered, stored)).toEqual({ labels: [{ label: 'active' }] });
});

test('a field that was edited back is not changed', () => {
  expect(changedFields({ port: 12000 }, { port: 12000 }, { port: 12000 })).toEqual({});
});
