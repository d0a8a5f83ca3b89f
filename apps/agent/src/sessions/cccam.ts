import { WebifFailure } from '@linekeeper/oscam/failure.ts';
import { askOnce, openSocket } from '@linekeeper/oscam/http.ts';
import { countOf, type OnlineAccount } from '@linekeeper/oscam/who-is-on.ts';
import { Refusal } from '../refusal.ts';
import type { InfoSettings } from '../settings.ts';
import type { SessionsSource } from './sessions.ts';

/** The headings of columns, by their content. */
const COLUMNS = { name: /^username/i, host: /^host/i, connected: /^connected/i, ecm: /^ecm$/i };
const SECOND_MS = 1000;

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The time at which a connection began, from its age such as "01d 02:03:04"; null for anything else. */
function before(now: Date, text = ''): string | null {
  const [, days = '0', hours = '', minutes = '', seconds = ''] =
    /^(?:(\d{1,5})\s*d(?:ays?,?)?\s*)?(\d{1,2}):(\d\d):(\d\d)$/.exec(text) ?? [];
  if (hours === '') return null;
  const inHours = Number(days) * 24 + Number(hours);
  const ms = ((inHours * 60 + Number(minutes)) * 60 + Number(seconds)) * SECOND_MS;
  return new Date(now.getTime() - ms).toISOString();
}

/** Requests and how many of them had a response, from a text such as "120(100)". */
function countersOf(text: string | undefined) {
  const [, all, ok] = /^(\d{1,12})\s*\((\d{1,12})\)/.exec(text ?? '') ?? [];
  const [total, answered] = [countOf(all), countOf(ok)];
  if (total === null || answered === null) return null;
  return { ok: answered, refused: Math.max(0, total - answered), timed_out: 0 };
}

/** Columns of the table of clients, if this line is its heading. */
function columnsIn(cells: string[]): Map<string, number> | undefined {
  const columns = new Map(
    Object.entries(COLUMNS).map(([column, word]) => [
      column,
      cells.findIndex((cell) => word.test(cell)),
    ]),
  );
  return columns.get('name') === -1 || columns.get('host') === -1 ? undefined : columns;
}

/** Clients of CCcam's page `/clients`, one row a connection; undefined if the page has no such table. */
export function readClients(page: string, now: Date): OnlineAccount[] | undefined {
  const accounts = new Map<string, OnlineAccount>();
  let columns: Map<string, number> | undefined;
  for (const line of page.split(/\r?\n|<br\s*\/?>/i)) {
    const cells = cellsOf(line);
    if (!columns) {
      columns = columnsIn(cells);
      continue;
    }
    const of = (column: keyof typeof COLUMNS) => cells[columns?.get(column) ?? -1];
    const name = of('name');
    if (!name) continue;
    const counters = countersOf(of('ecm'));
    const since = before(now, of('connected'));
    const session = { protocol: 'cccam', address: of('host') || null, since };
    const known = accounts.get(name);
    if (!known) {
      accounts.set(name, { name, connections: 1, sessions: [session], counters, answer_ms: null });
      continue;
    }
    known.connections += 1;
    known.sessions.push(session);
    known.counters &&= counters && {
      ok: known.counters.ok + counters.ok,
      refused: known.counters.refused + counters.refused,
      timed_out: 0,
    };
  }
  return columns && [...accounts.values()];
}

/** Version and start of CCcam, from its first page. */
export function readHome(page: string, now: Date) {
  const version = /\bCCcam[\s.]*(\d+(?:\.\d+)*)/i.exec(page)?.[1];
  const uptime = /\buptime:?\s*((?:\d+\s*d\w*,?\s*)?\d+:\d\d:\d\d)/i.exec(page)?.[1];
  return { server: version ? `CCcam ${version}` : 'CCcam', started_at: before(now, uptime) };
}

function notRead(reason: string): Refusal {
  const message = `CCcam's information port cannot be read (${reason}). Check CCCAM_INFO_URL, CCCAM_INFO_USER and CCCAM_INFO_PASSWORD.`;
  return new Refusal(503, message, { code: 'CCCAM_INFO_NOT_READ', data: { reason } });
}

/** Reads the sessions from CCcam's information port, which changes nothing there. */
export function openCccamSessions(
  { url, user, password }: InfoSettings,
  { deadlineMs, now }: { deadlineMs: number; now(): Date },
): SessionsSource {
  const closing = new AbortController();
  const where = { url, fingerprint: undefined };
  const limits = { deadlineMs, closing: closing.signal };
  const basic = Buffer.from(`${user}:${password}`).toString('base64');
  const authorization = user ? `Basic ${basic}` : undefined;

  async function get(path: string): Promise<string> {
    try {
      const asked = { path, authorization, headersOnly: false };
      const { status, body } = await askOnce(openSocket, where, asked, limits);
      if (status === 200) return body;
      throw notRead(`HTTP ${status}`);
    } catch (error) {
      if (!(error instanceof WebifFailure)) throw error;
      throw notRead(String(error.data.reason ?? 'invalid response'));
    }
  }

  return {
    file: 'CCcam.cfg',
    async read() {
      const home = await get('/');
      const accounts = readClients(await get('/clients'), now());
      if (!accounts) throw notRead('no table of clients');
      return { ...readHome(home, now()), accounts };
    },
    close: () => closing.abort(new Error('ECANCELED')),
  };
}
