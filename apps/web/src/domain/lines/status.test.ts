import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { expect, test } from 'vitest';
import { lineStatus } from './status.tsx';

const today = '2026-11-21';
const active = {
  status: [{ label: 'active', color: 'success' }],
  expiry_date: today,
  is_trial: false,
} as Line;
const label = (changes: Partial<Line>) => lineStatus({ ...active, ...changes }, today).label;

test('an active line is active through its last day', () => {
  expect(label({})).toBe('active');
  expect(label({ expiry_date: '2026-11-20' })).toBe('expired');
});

test('a trial has the status trial until it expires', () => {
  expect(label({ is_trial: true })).toBe('trial');
  expect(label({ is_trial: true, expiry_date: '2026-11-20' })).toBe('expired');
});

test('a status set by hand stays, and so does the one of a suspended line', () => {
  const suspended: Line['status'] = [{ label: 'suspended', color: 'error' }];
  expect(label({ status: suspended, expiry_date: '2026-11-20', is_trial: true })).toBe('suspended');
});

test('the case of the label active does not matter', () => {
  const status: Line['status'] = [{ label: 'ACTIVE', color: 'success' }];
  expect(label({ status, is_trial: true })).toBe('trial');
  expect(label({ status, expiry_date: '2026-11-20' })).toBe('expired');
});
