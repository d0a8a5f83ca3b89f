import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { expect, test } from 'vitest';
import { editLineForm, storedValues } from './edit-line-schema.ts';

const line = {
  username: 'h.grossmann',
  protocol: 'cccam',
  expiry_date: '2026-11-24',
  owner_id: '00000000-0000-4000-8000-000000000001',
  server_id: '00000000-0000-4000-8000-000000000002',
  host_port: ['fra1.lines.example:12000', '[2001:db8::1]:12001'],
  status: [
    { label: 'active', color: 'success' },
    { label: 'VIP', color: 'info' },
  ],
  live_channel: 'Info',
  info: 'Info',
  user_value: null,
  name: null,
  company: null,
  role: null,
  avatar_url: null,
  email: null,
  notes: 'Second room',
  sharing_exempt: false,
} as unknown as Line;
const stored = storedValues(line);
const wrong = (changes: Partial<typeof stored>) => {
  const parsed = editLineForm.safeParse({ ...stored, ...changes });
  return parsed.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
};

test('a stored line is valid unchanged, and its lists stay lists', () => {
  const parsed = editLineForm.parse(stored);
  expect(parsed.host_port).toEqual(line.host_port);
  expect(parsed.status).toEqual(line.status);
  expect(parsed.expiry_date).toBe('2026-11-24');
  expect(parsed.password).toBe('');
});

test('an error is reported on the field with the invalid entry', () => {
  expect(wrong({ username: '' })).toEqual(['username USERNAME_REQUIRED']);
  expect(wrong({ password: 'two words' })).toEqual(['password INVALID_LINE_PASSWORD']);
  expect(wrong({ password: 'ä'.repeat(40) })).toEqual(['password TOO_MANY_BYTES']);
  expect(wrong({ expiry_date: '31-02-2027' })).toEqual(['expiry_date INVALID_EXPIRY_DATE']);
  expect(wrong({ host_port: 'good.example:1\nbad example' })).toEqual(['host_port INVALID_HOST']);
  expect(wrong({ host_port: 'good.example:70000' })).toEqual(['host_port PORT_RANGE']);
  expect(wrong({ email: 'no address' })).toEqual(['email INVALID_EMAIL']);
});

test('empty lines of a list are ignored', () => {
  expect(editLineForm.parse({ ...stored, status: '\n active \n\n' }).status).toEqual([
    { label: 'active', color: 'success' },
  ]);
});
