import { STORABLE } from '@linekeeper/contract/fields/fields.ts';
import { type Finding, findingWithMessage } from '@linekeeper/contract/findings.ts';
import type { ServerKind, ServerTest } from '@linekeeper/contract/servers/servers.ts';
import {
  type Outbound,
  type Reply,
  type Unreachable,
  withinDeadline,
} from '../../../platform/http-client/request.ts';
import { type AgentReport, NO_REPORT, reportOf } from './agent-report.ts';
import { type CardServer, getHealth, getRoot, hasSuccessStatus, secretsOf } from './client.ts';
import { plainText, redact } from './messages.ts';

const REQUIRED_FIELDS = ['host_ip', 'port', 'api_port', 'username', 'password'] as const;
/** Fields without which a web interface of OSCam may be open to everybody who reaches it. */
const OPEN: readonly string[] = ['username', 'password'];
const VERSION_MAX_LENGTH = 100;
const INSTANCE_MAX_LENGTH = 200;

/** A server's settings, possibly unsaved and incomplete. */
export type ServerConfiguration = {
  host_ip?: string | null;
  port?: number | null;
  api_port?: number | null;
  api_scheme?: 'http' | 'https' | null;
  username?: string | null;
  password?: string | null;
  kind?: ServerKind | undefined;
  tls_fingerprint?: string | null | undefined;
  plain_http_allowed?: boolean | undefined;
};

export type ConnectionReport = {
  status: 'active' | 'error';
  /** True if /health replied with success. */
  health: boolean;
  /** True if / accepted the credentials and replied like a card server. */
  auth: boolean;
  /** Plain text of at most 100 characters. */
  version: string | null;
  /** Duration of /health including DNS lookup and connecting; null if it did not reply. */
  latency_ms: number | null;
  /** The problem found, or null; `message` is its sentence. */
  finding: Finding | null;
  message: string | null;
  tls_fingerprint: string | null;
  oscam: ServerTest['oscam'];
};

/** The report with additional fields for the panel's own checks. */
export type Connected = ConnectionReport & {
  /** The id that the server gives to its folder of accounts; null if it gives none. */
  instance: string | null;
  /** When OSCam started, whose accounts are then those of its file; null for an agent, which keeps its own. */
  started_at: Date | null;
  report: AgentReport;
  /** The process is stopping, so the test has no result. */
  isCancelled: boolean;
};

/** Calls /health, then / with the credentials, within one deadline. Never throws. */
export async function testConnection(
  outbound: Outbound,
  configuration: ServerConfiguration,
  outer?: AbortSignal,
): Promise<ConnectionReport> {
  return connectionReport(await connect(outbound, configuration, outer));
}

/** Result of a test without the fields that are for the panel itself. */
export function connectionReport({
  instance: _,
  started_at: __,
  report: ___,
  isCancelled: ____,
  ...report
}: Connected): ConnectionReport {
  return report;
}

/** The beginning of every test. */
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

/** Like `testConnection`, with the additional fields. */
export function connect(
  outbound: Outbound,
  configuration: ServerConfiguration,
  outer?: AbortSignal,
): Promise<Connected> {
  return withinDeadline(outbound, outer, async (signal) => {
    const report = { ...NOTHING_FOUND };
    const server = completed(configuration);
    if ('incomplete' in server) return { ...report, ...findingWithMessage(server.incomplete) };
    const startedAt = performance.now();
    const health = await getHealth(outbound, server, signal);
    if (health.kind === 'unreachable') return { ...report, ...unreached(health) };
    report.latency_ms = Math.round(performance.now() - startedAt);
    if (!hasSuccessStatus(health)) {
      return { ...report, ...failedWith('HEALTH_CHECK_FAILED', health) };
    }
    report.health = true;
    const root = await getRoot(outbound, server, signal);
    if (root.kind === 'unreachable') return { ...report, ...unreached(root) };
    if (!hasSuccessStatus(root)) {
      return { ...report, ...failedWith('AUTHENTICATION_FAILED', root) };
    }
    if (!root.json) {
      return { ...report, ...findingWithMessage(notReached({ reason: 'invalid response' })) };
    }
    const told = reportOf(root, secretsOf(server));
    return {
      ...report,
      status: told.not_allowed ? 'error' : 'active',
      auth: true,
      version: versionOf(root.json.version, server),
      instance: instanceOf(root.json.instance),
      ...findingWithMessage(told.not_allowed),
      report: told,
    };
  });
}

function failedWith(
  code: 'HEALTH_CHECK_FAILED' | 'AUTHENTICATION_FAILED',
  { status }: Reply,
): Pick<Connected, 'finding' | 'message'> {
  return findingWithMessage({ code, data: { status } });
}

function unreached(answer: Unreachable): Pick<Connected, 'finding' | 'message' | 'isCancelled'> {
  return {
    ...findingWithMessage(notReached(answer)),
    isCancelled: answer.reason === 'request cancelled',
  };
}

/** A folder's id is only compared, never shown; anything but a short text counts as none. */
function instanceOf(value: unknown): string | null {
  const isName =
    typeof value === 'string' && value.length <= INSTANCE_MAX_LENGTH && STORABLE.test(value);
  return isName && value !== '' ? value : null;
}

function isBlank(value: string | number | null | undefined): boolean {
  return value === null || value === undefined || String(value).trim() === '';
}

/** The server to call, or a finding that names the missing settings. */
export function completed(
  configuration: ServerConfiguration,
): CardServer | { incomplete: Finding } {
  const { kind } = configuration;
  const needed = REQUIRED_FIELDS.filter((field) => kind !== 'oscam_webif' || !OPEN.includes(field));
  const fields = needed.filter((field) => isBlank(configuration[field]));
  if (fields.length > 0) {
    return { incomplete: { code: 'CONFIGURATION_INCOMPLETE', data: { fields } } };
  }
  return {
    host_ip: configuration.host_ip ?? '',
    api_port: configuration.api_port ?? 0,
    api_scheme: configuration.api_scheme ?? 'http',
    username: configuration.username ?? '',
    password: configuration.password ?? '',
  };
}

export function notReached({ reason }: { reason: string }): Finding {
  return { code: 'NOT_REACHED', data: { reason } };
}

export function versionOf(version: unknown, server: CardServer): string | null {
  if (typeof version !== 'string') return null;
  return plainText(redact(version, secretsOf(server)), VERSION_MAX_LENGTH) || null;
}
