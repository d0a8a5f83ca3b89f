import type { FindingCode } from '@linekeeper/contract/findings.ts';
import type { ServerStatus, ServerTest } from '@linekeeper/contract/servers/servers.ts';

/** The result of a test of OSCam's web interface. */
export interface WebifFound
  extends Pick<ServerTest, 'finding' | 'latency_ms' | 'version' | 'oscam' | 'tls_fingerprint'> {
  status: ServerStatus;
}

const causes = [
  'noAnswer',
  'plain',
  'tls',
  'noTls',
  'forbidden',
  'signIn',
  'readOnly',
  'notOscam',
  'other',
] as const;
/** The reason why a test of OSCam's web interface failed. The test stops at the first one. */
export type WebifCause = (typeof causes)[number];

export type StepState = 'passed' | 'failed' | 'asked' | 'waiting';
export type StepName = 'reached' | 'encrypted' | 'letIn' | 'certificate' | 'signedIn' | 'oscam';
export interface WebifStep {
  name: StepName;
  state: StepState;
}

const causeOfCode: Partial<Record<FindingCode, WebifCause>> = {
  NOT_REACHED: 'noAnswer',
  PLAIN_HTTP: 'plain',
  HTTPS_EXPECTED: 'tls',
  HTTP_EXPECTED: 'noTls',
  OSCAM_FORBIDDEN: 'forbidden',
  OSCAM_SIGN_IN: 'signIn',
  OSCAM_READ_ONLY: 'readOnly',
  NOT_OSCAM: 'notOscam',
};

/** The cause of a failed test; undefined if there is none. */
export function webifCause({ status, finding }: WebifFound): WebifCause | undefined {
  if (status !== 'error') return undefined;
  return (finding && causeOfCode[finding.code]) ?? 'other';
}

const passed = (name: StepName): WebifStep => ({ name, state: 'passed' });
const failed = (name: StepName): WebifStep => ({ name, state: 'failed' });
const signInWaits: WebifStep = { name: 'signedIn', state: 'waiting' };

/** The steps of a test of OSCam's web interface, each passed, failed, in question or not reached. */
export function webifSteps(found: WebifFound, certificate: string | null): WebifStep[] {
  const own = certificate === null ? [] : [passed('certificate')];
  if (found.tls_fingerprint !== null) {
    return [passed('reached'), { name: 'certificate', state: 'asked' }, signInWaits];
  }
  const cause = webifCause(found);
  if (!cause) return [passed('reached'), ...own, passed('signedIn'), passed('oscam')];
  const ways: Partial<Record<WebifCause, WebifStep[]>> = {
    plain: [failed('encrypted'), signInWaits],
    tls: [passed('reached'), failed('encrypted'), signInWaits],
    noTls: [passed('reached'), failed('encrypted'), signInWaits],
    forbidden: [passed('reached'), ...own, failed('letIn'), signInWaits],
    signIn: [passed('reached'), ...own, failed('signedIn')],
    readOnly: [passed('reached'), ...own, failed('signedIn'), passed('oscam')],
    notOscam: [passed('reached'), ...own, failed('oscam'), signInWaits],
  };
  return ways[cause] ?? [failed('reached'), signInWaits];
}
