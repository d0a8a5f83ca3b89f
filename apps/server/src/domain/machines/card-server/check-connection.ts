import { STORABLE } from '@linekeeper/contract/fields/fields.ts';
import { type Finding, findingWithMessage } from '@linekeeper/contract/findings.ts';
import type { ServerTest } from '@linekeeper/contract/servers/servers.ts';
import { type Outbound, withinDeadline } from '../../../platform/http-client/request.ts';
import { type AgentReport, NO_REPORT, reportOf } from './agent-report.ts';
import { type CardServer, call, hasSuccessStatus, secretsOf } from './client.ts';
import { Reader } from './messages.ts';

const VERSION_MAX_LENGTH = 100;
const INSTANCE_MAX_LENGTH = 200;

/**
 * The result of a test, with facts for the panel's own checks, which no API response has. `version` has at most 100
 * characters; `latency_ms` is the time of /health, with the DNS lookup and connecting.
 */
export type Connected = ServerTest & {
  status: 'active' | 'error';
  finding: Finding | null;
  /** The id that the server gives to its folder of accounts; null if it gives none. */
  instance: string | null;
  /**
   * Time when OSCam started, because its accounts are then those of its file. Null for an agent,
   * which stores the accounts itself.
   */
  started_at: Date | null;
  report: AgentReport;
  /** True if the process is stopping, so that the test has no result. */
  isCancelled: boolean;
};

/** The result of a test before its first step; the steps add to it. */
export const NOTHING_FOUND: Connected = {
  instance: null,
  started_at: null,
  report: NO_REPORT,
  isCancelled: false,
  status: 'error',
  health: false,
  auth: false,
  version: null,
  latency_ms: null,
  tls_fingerprint: null,
  oscam: null,
  ...findingWithMessage(null),
};

/** The result of a test that a finding ended. */
export const failedWith = (finding: Finding): Connected => ({
  ...NOTHING_FOUND,
  ...findingWithMessage(finding),
  isCancelled: finding.data.reason === 'request cancelled',
});

/**
 * Calls /health, then / with the credentials, within one deadline. A failed call is part of the result and does not
 * throw.
 */
export function connect(
  outbound: Outbound,
  server: CardServer,
  outer?: AbortSignal,
): Promise<Connected> {
  return withinDeadline(outbound, outer, async (signal) => {
    const called = { outbound, server, signal };
    const startedAt = performance.now();
    const health = await call(called, 'health');
    if (health.kind === 'unreachable') return failedWith(notReached(health));
    const latency_ms = Math.round(performance.now() - startedAt);
    const isHealthy = hasSuccessStatus(health);
    const failed = (finding: Finding) => ({
      ...failedWith(finding),
      health: isHealthy,
      latency_ms,
    });
    const { status } = health;
    if (!isHealthy) return failed({ code: 'HEALTH_CHECK_FAILED', data: { status } });
    const root = await call(called, 'auth');
    if (root.kind === 'unreachable') return failed(notReached(root));
    if (!hasSuccessStatus(root)) {
      return failed({ code: 'AUTHENTICATION_FAILED', data: { status: root.status } });
    }
    if (!root.json) return failed(notReached({ reason: 'invalid response' }));
    const report = reportOf(root, secretsOf(server));
    return {
      ...NOTHING_FOUND,
      health: true,
      latency_ms,
      status: report.not_allowed ? 'error' : 'active',
      auth: true,
      version: versionOf(root.json.version, server),
      instance: instanceOf(root.json.instance),
      ...findingWithMessage(report.not_allowed),
      report,
    };
  });
}

/** The instance that a server reports. It is only compared, never shown; anything but a short text counts as none. */
function instanceOf(value: unknown): string | null {
  const isName =
    typeof value === 'string' && value.length <= INSTANCE_MAX_LENGTH && STORABLE.test(value);
  return isName && value !== '' ? value : null;
}

export function notReached({ reason }: { reason: string }): Finding {
  return { code: 'NOT_REACHED', data: { reason } };
}

export function versionOf(version: unknown, server: CardServer): string | null {
  return new Reader(secretsOf(server)).text(version, VERSION_MAX_LENGTH);
}
