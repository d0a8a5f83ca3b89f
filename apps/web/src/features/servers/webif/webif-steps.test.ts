import type { FindingCode } from '@linekeeper/contract/findings.ts';
import { expect, test } from 'vitest';
import { type WebifFound, webifCause, webifSteps } from './webif-steps.ts';

const nothing: WebifFound = {
  ...{ status: 'error', finding: null, latency_ms: null, version: null },
  ...{ oscam: null, tls_fingerprint: null },
};
const steps = (found: WebifFound, certificate: string | null = null) =>
  webifSteps(found, certificate).map(({ name, state }) => `${name} ${state}`);

test('a test that passes names each step, and a certificate only if one was confirmed', () => {
  const works: WebifFound = { ...nothing, status: 'active' };
  expect(steps(works)).toEqual(['reached passed', 'signedIn passed', 'oscam passed']);
  expect(steps(works, 'AB:CD')).toContain('certificate passed');
});

test('a certificate is asked about before anything is sent', () => {
  const found = { ...nothing, tls_fingerprint: 'AB:CD' };
  expect(steps(found)).toEqual(['reached passed', 'certificate asked', 'signedIn waiting']);
  expect(steps(found, 'EF:01')).toEqual(steps(found));
});

test('one cause at a time is said, and how far the test came', () => {
  const failing = (code: FindingCode): WebifFound => ({ ...nothing, finding: { code, data: {} } });
  const forbidden = failing('OSCAM_FORBIDDEN');
  expect(webifCause(forbidden)).toBe('forbidden');
  expect(steps(forbidden)).toEqual(['reached passed', 'letIn failed', 'signedIn waiting']);
  expect(steps(failing('OSCAM_SIGN_IN'))).toEqual(['reached passed', 'signedIn failed']);
  expect(steps(failing('OSCAM_READ_ONLY'))).toContain('signedIn failed');
  expect(steps(failing('NOT_OSCAM'))).toContain('oscam failed');
  expect(steps(failing('PLAIN_HTTP'))).toEqual(['encrypted failed', 'signedIn waiting']);
  expect(steps(failing('HTTPS_EXPECTED'))).toEqual([
    'reached passed',
    'encrypted failed',
    'signedIn waiting',
  ]);
  const away: WebifFound = {
    ...nothing,
    finding: { code: 'NOT_REACHED', data: { reason: 'connection refused' } },
  };
  expect(webifCause(away)).toBe('noAnswer');
  expect(steps(away)).toEqual(['reached failed', 'signedIn waiting']);
});
