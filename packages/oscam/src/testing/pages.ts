import { isDisabled, newAccount, type OscamAccount, setAll } from './accounts.ts';
import type { Page, WebifRequest } from './webif.ts';

/** A client that is connected, as the test sets it. */
export type OscamClient = {
  user: string;
  ip: string;
  /** Time of the login, in ISO 8601 without fractions. */
  login: string;
  protocol?: string;
  /** True if the client has requested nothing lately, so that `part=status` leaves it out. */
  isIdle?: boolean;
  /** Texts of the account's counters in `part=userstats`. */
  stats?: Record<string, string>;
};

/** The parts of the running OSCam that its pages use. */
export type Running = {
  accounts: OscamAccount[];
  clients: OscamClient[];
  version: string;
  startedAt: Date;
  /**
   * The id of OSCam's main thread, different after each start, as in the real program; undefined if OSCam hides itself.
   */
  mainThread: string | undefined;
  isReadOnly: boolean;
  /** The day on OSCam's clock, as YYYY-MM-DD. */
  today(): string;
  /** Writes the whole file. Returns false if that fails. */
  save(): Promise<boolean>;
  reread(): Promise<void>;
  /** The content of the file on the disk. */
  readFile(): string;
  /** Content of `oscam.services`, which lists the services that accounts may have; undefined if OSCam knows all. */
  services: string | undefined;
  /** The content of `oscam.server`. */
  readers: string;
  /** Minutes by which OSCam's clock is ahead of UTC. */
  zone: number;
};

const PROTOCOL = 'cccam (2.3.0-3367)';
const SHOWN = ['user', 'pwd', 'description', 'disabled', 'expdate', 'group', 'hostname', 'uniq'];
SHOWN.push('services', 'caid', 'ident', 'cccmaxhops', 'cccreshare', 'keepalive');

function escapeXml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter);
}

const MINUTE_MS = 60_000;

function inZone(moment: Date, zone: number): string {
  const there = new Date(moment.getTime() + zone * MINUTE_MS).toISOString().replace(/\.\d+Z$/, '');
  const [hours, minutes] = [Math.floor(Math.abs(zone) / 60), Math.abs(zone) % 60];
  const digits = [hours, minutes].map((part) => String(part).padStart(2, '0')).join('');
  return `${there}${zone < 0 ? '-' : '+'}${digits}`;
}

/** The last second of a day in OSCam's time zone, printed in UTC. */
function printedDay(day: string | undefined, zone: number): string {
  if (!day) return '';
  const last = Date.parse(`${day}T23:59:59Z`) - zone * MINUTE_MS;
  return new Date(last).toISOString().slice(0, 10);
}

function html(message: string): Page {
  return { body: `<HTML><BODY><DIV CLASS="message">${message}</DIV></BODY></HTML>\n` };
}

function xml(running: Running, content: string): Page {
  const started = inZone(running.startedAt, running.zone);
  const own = `version="${running.version}" revision="" starttime="${started}"`;
  const readOnly = running.isReadOnly ? 1 : 0;
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const body = `${head}<oscam ${own} uptime="1" readonly="${readOnly}">\n${content}\n</oscam>\n`;
  return { type: 'text/xml', body };
}

function statusOf(account: OscamAccount, { clients, today: day }: Running): string {
  const today = day();
  if (clients.some(({ user }) => user === account.user)) return 'online';
  if (isDisabled(account)) return 'offline (disabled)';
  return account.expdate && account.expdate < today ? 'offline (expired)' : 'offline';
}

function find(running: Running, name: string | undefined): OscamAccount | undefined {
  return running.accounts.find(({ user }) => user === name);
}

async function actOn(running: Running, action: string, account: OscamAccount): Promise<void> {
  const isDeletion = action === 'delete';
  if (isDeletion && running.isReadOnly) return;
  if (isDeletion) running.accounts.splice(running.accounts.indexOf(account), 1);
  if (action === 'disable') account.disabled = '1';
  if (action === 'enable') account.disabled = '0';
  await running.save();
}

async function userStats(running: Running, parameters: WebifRequest['parameters']): Promise<Page> {
  const action = parameters.get('action');
  const target = find(running, parameters.get('user'));
  if (action !== undefined && target) await actOn(running, action, target);
  const label = parameters.get('label');
  const shown = running.accounts.filter(({ user }) => label === undefined || user === label);
  if (label !== undefined && shown.length === 0) {
    return xml(running, `<error>Invalid client ${escapeXml(label)}</error>`);
  }
  const rows = shown.map((account) => {
    const status = statusOf(account, running);
    const name = escapeXml(account.user ?? '');
    const client = running.clients.findLast(({ user }) => user === account.user);
    const { ip = '', protocol = client ? PROTOCOL : '', stats = { cwok: '0' } } = client ?? {};
    const counters = Object.entries(stats).map(([tag, text]) => `<${tag}>${text}</${tag}>`);
    return `<user name="${name}" status="${status}" ip="${ip}" protocol="${protocol}"><stats>${counters.join('')}</stats></user>`;
  });
  return xml(running, `<users>\n${rows.join('\n')}\n</users>\n<totals></totals>`);
}

const threads = new WeakMap<OscamClient, string>();
let lastThread = 0x55af57a5f9b0;

/** Id of the thread that serves a client while the client is connected. */
function threadOf(client: OscamClient): string {
  lastThread += 0x10;
  const thread = threads.get(client) ?? `0x${lastThread.toString(16)}`;
  threads.set(client, thread);
  return thread;
}

/** The page with all clients except idle ones, followed by the log, as on the real page. */
function status(running: Running, parameters: WebifRequest['parameters']): Page {
  const { clients } = running;
  if (parameters.get('action') === 'kill') {
    const target = clients.findIndex((one) => threadOf(one) === parameters.get('threadid'));
    if (target >= 0) clients.splice(target, 1);
  }
  const rows = clients.flatMap((client) => {
    if (client.isIdle) return [];
    const { user, ip, login, protocol = PROTOCOL } = client;
    const own = `type="c" name="${escapeXml(user)}" desc="" protocol="${protocol}" thid="id_${threadOf(client)}"`;
    const times = `<times login="${login}" online="5" idle="1"></times>`;
    return `<client ${own}>\n${times}\n<connection ip="${ip}" port="1">OK</connection>\n</client>`;
  });
  const server =
    running.mainThread &&
    `<client type="s" name="nobody" protocol="server" thid="id_${running.mainThread}"></client>`;
  const log = '<log><![CDATA[<client type="c" name="mallory">]]></log>';
  return xml(running, `<status>\n${server ?? ''}\n${rows.join('\n')}\n</status>${log}`);
}

/** The page with the content of a file. */
function files(running: Running, parameters: WebifRequest['parameters']): Page {
  const name = parameters.get('file');
  const other = { 'oscam.services': running.services ?? '', 'oscam.server': running.readers };
  const text = other[name as keyof typeof other] ?? running.readFile();
  const head = `<file filename="${name}" writable="1">`;
  return xml(running, `${head}\n<![CDATA[${text}]]>\n</file>`);
}

function userConfig(running: Running, parameters: WebifRequest['parameters']): Page {
  const account = find(running, parameters.get('user'));
  if (!account) return xml(running, '<error>user not exist</error>');
  const shown: OscamAccount = { ...account, expdate: printedDay(account.expdate, running.zone) };
  const fields = SHOWN.map((key) => `<${key}>${escapeXml(shown[key] ?? '')}</${key}>`);
  return xml(running, `<account>\n${fields.join('\n')}\n</account>`);
}

/** The page that edits an account. A read-only OSCam shows it too. */
async function userEdit(running: Running, parameters: WebifRequest['parameters']): Promise<Page> {
  const name = parameters.get('user') ?? '';
  let account = find(running, name);
  if (!account) {
    account = newAccount(name);
    running.accounts.push(account);
    await running.save();
  }
  if (parameters.get('action') !== 'Save') return html('');
  // Every field that is not sent keeps its value, except `services`.
  setAll(account, [['services', ''], ...parameters], running.services);
  const saved = await running.save();
  return html(saved ? 'User Account updated and saved' : 'Write Config failed!');
}

export async function servePage(running: Running, request: WebifRequest): Promise<Page> {
  const { path, parameters } = request;
  if (path === '/user_edit.html') return userEdit(running, parameters);
  if (path === '/userconfig.html') {
    // A read-only OSCam shows the page and does nothing.
    if (parameters.get('action') === 'reinit' && !running.isReadOnly) await running.reread();
    return html('Users');
  }
  if (path === '/oscamapi.html') {
    const part = parameters.get('part');
    if (part === 'userstats') return userStats(running, parameters);
    if (part === 'status') return status(running, parameters);
    if (part === 'files') return files(running, parameters);
    if (part === 'userconfig') return userConfig(running, parameters);
    return xml(running, '<error>no or wrong part parameter</error>');
  }
  return html('Status');
}
