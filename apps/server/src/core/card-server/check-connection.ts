import { type CardServer, getHealth, getRoot, isTwoHundred, secretsOf } from './client.ts';
import { blotOut, plainText } from './messages.ts';
import { type Outbound, type Unreachable, withinDeadline } from './request.ts';

const REQUIRED_FIELDS = ['host_ip', 'port', 'api_port', 'username', 'password'] as const;
const VERSION_MAX_LENGTH = 100;

/** A server's settings as they stand, perhaps unsaved and incomplete. */
export type ServerConfiguration = {
  host_ip?: string | null;
  port?: number | null;
  api_port?: number | null;
  api_scheme?: 'http' | 'https' | null;
  username?: string | null;
  password?: string | null;
};

export type ConnectionReport = {
  status: 'active' | 'error';
  /** Whether /health answered with success. */
  health: boolean;
  /** Whether / took the credentials and answered like a card server. */
  auth: boolean;
  /** Plain text of at most 100 characters. */
  version: string | null;
  /** How long /health took, name lookup and connection included; null when it did not answer. */
  latency_ms: number | null;
  /** What went wrong, null when nothing did. */
  message: string | null;
};

/** Asks /health, then / with the credentials, both within one deadline. Never throws. */
export function testConnection(
  outbound: Outbound,
  configuration: ServerConfiguration,
  outer?: AbortSignal,
): Promise<ConnectionReport> {
  return withinDeadline(outbound, outer, async (signal) => {
    const report: ConnectionReport = {
      status: 'error',
      health: false,
      auth: false,
      version: null,
      latency_ms: null,
      message: null,
    };
    const server = completed(configuration);
    if ('incomplete' in server) return { ...report, message: server.incomplete };
    const startedAt = performance.now();
    const health = await getHealth(outbound, server, signal);
    if (health.kind === 'unreachable') return { ...report, message: failedToConnect(health) };
    report.latency_ms = Math.round(performance.now() - startedAt);
    if (!isTwoHundred(health)) {
      return { ...report, message: `Health check failed with status: ${health.status}` };
    }
    report.health = true;
    const root = await getRoot(outbound, server, signal);
    if (root.kind === 'unreachable') return { ...report, message: failedToConnect(root) };
    if (!isTwoHundred(root)) {
      return { ...report, message: `Authentication failed with status: ${root.status}` };
    }
    if (!root.json) {
      return { ...report, message: failedToConnect({ reason: 'invalid response' }) };
    }
    return {
      ...report,
      status: 'active',
      auth: true,
      version: versionOf(root.json.version, server),
    };
  });
}

function isBlank(value: string | number | null | undefined): boolean {
  return value === null || value === undefined || String(value).trim() === '';
}

/** The server to call, or what to say about the settings it lacks. */
export function completed(configuration: ServerConfiguration): CardServer | { incomplete: string } {
  const missing = REQUIRED_FIELDS.filter((field) => isBlank(configuration[field]));
  if (missing.length > 0) {
    return {
      incomplete: `Server configuration is incomplete. Missing fields: ${missing.join(', ')}`,
    };
  }
  return {
    host_ip: configuration.host_ip ?? '',
    api_port: configuration.api_port ?? 0,
    api_scheme: configuration.api_scheme ?? 'http',
    username: configuration.username ?? '',
    password: configuration.password ?? '',
  };
}

export function failedToConnect({ reason }: Pick<Unreachable, 'reason'>): string {
  return `Failed to connect to server: ${reason}`;
}

export function versionOf(version: unknown, server: CardServer): string | null {
  if (typeof version !== 'string') return null;
  return plainText(blotOut(version, secretsOf(server)), VERSION_MAX_LENGTH) || null;
}
