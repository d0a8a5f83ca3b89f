import { getGeo } from '@linekeeper/contract/geo.ts';
import type { Config } from '../platform/config/config.ts';

/** Milliseconds to wait for a panel on this machine. It replies within 5 s even if its database does not. */
const PATIENCE_MS = 8000;

/** What a panel reports at /health, /ready and /metrics; `health` is null if none responds. */
export interface PanelFacts {
  health: { status: string; version: string; reason: string | null } | null;
  ready: { status: string; database: string; migrations: string } | null;
  metrics: Metric[];
}

export interface Metric {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** The address at which this machine reaches the panel of these settings. */
export function panelUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  if (process.env.PANEL_URL) return process.env.PANEL_URL;
  const isAny = ['0.0.0.0', '::', 'localhost'].includes(host);
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${isAny ? '127.0.0.1' : name}:${port}`;
}

/** Reads the lines of Prometheus' text format. */
export function readMetrics(text: string): Metric[] {
  const lines = text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm);
  return [...lines].map(([, name = '', inBraces = '', value]) => {
    const labels = [...inBraces.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, label = '', text = '']): [string, string] => [label, JSON.parse(`"${text}"`)],
    );
    return { name, labels: Object.fromEntries(labels), value: Number(value) };
  });
}

/** The value of a metric without labels; null if it is missing or unknown. */
export function metricOf(metrics: readonly Metric[], name: string): number | null {
  const value = metrics.find((metric) => metric.name === name)?.value;
  return value === undefined || Number.isNaN(value) ? null : value;
}

async function ask(url: string, path: string): Promise<string | null> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(new URL(path, url), { signal, redirect: 'error' }).catch(() => null);
  return response ? response.text().catch(() => null) : null;
}

/** Throws unless a panel responds at its public address, where a proxy hides the state of the panel. */
export async function tryPublicUrl(url: URL): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(new URL(getGeo.path, url), { signal, redirect: 'error' }).catch(
    // Only the cause has the reason: the error itself reports only that fetch failed.
    (error: Error) => Promise.reject(error.cause ?? error),
  );
  if (getGeo.output.safeParse(await response.json().catch(() => null)).success) return;
  throw new Error(`status ${response.status}, and not from a panel`);
}

function parse<T>(text: string | null): T | null {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    // Another program listens at this address.
    return null;
  }
}

/** Asks the panel at this address what it knows of itself. */
export async function readPanel(url: string): Promise<PanelFacts> {
  const health = parse<NonNullable<PanelFacts['health']>>(await ask(url, '/health'));
  if (typeof health?.version !== 'string') return { health: null, ready: null, metrics: [] };
  const [ready, metrics] = await Promise.all([ask(url, '/ready'), ask(url, '/metrics')]);
  const { status, version, reason = null } = health;
  return {
    health: { status, version, reason },
    ready: parse(ready),
    metrics: readMetrics(metrics ?? ''),
  };
}
