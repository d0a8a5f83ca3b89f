import { isDisabled, newAccount, type OscamAccount, setAll } from './accounts.ts';
import type { Page, WebifRequest } from './webif.ts';

/** The parts of the running OSCam that its pages use. */
export type Running = {
  accounts: OscamAccount[];
  version: string;
  startedAt: Date;
  isReadOnly: boolean;
  /** YYYY-MM-DD */
  today(): string;
  /** Writes the whole file; false if it cannot. */
  save(): Promise<boolean>;
  reread(): Promise<void>;
};

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

function html(message: string): Page {
  return { body: `<HTML><BODY><DIV CLASS="message">${message}</DIV></BODY></HTML>\n` };
}

function xml(running: Running, content: string): Page {
  const started = running.startedAt.toISOString().replace(/\.\d+Z$/, '+0000');
  const own = `version="${running.version}" revision="" starttime="${started}"`;
  const readOnly = running.isReadOnly ? 1 : 0;
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const body = `${head}<oscam ${own} uptime="1" readonly="${readOnly}">\n${content}\n</oscam>\n`;
  return { type: 'text/xml', body };
}

function statusOf(account: OscamAccount, today: string): string {
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
    const status = statusOf(account, running.today());
    const name = escapeXml(account.user ?? '');
    return `<user name="${name}" status="${status}" ip="" protocol=""><stats><cwok>0</cwok></stats></user>`;
  });
  return xml(running, `<users>\n${rows.join('\n')}\n</users>\n<totals></totals>`);
}

function userConfig(running: Running, parameters: WebifRequest['parameters']): Page {
  const account = find(running, parameters.get('user'));
  if (!account) return xml(running, '<error>user not exist</error>');
  const fields = SHOWN.map((key) => `<${key}>${escapeXml(account[key] ?? '')}</${key}>`);
  return xml(running, `<account>\n${fields.join('\n')}\n</account>`);
}

/** Read-only or not. */
async function userEdit(running: Running, parameters: WebifRequest['parameters']): Promise<Page> {
  const name = parameters.get('user') ?? '';
  let account = find(running, name);
  if (!account) {
    account = newAccount(name);
    running.accounts.push(account);
    await running.save();
  }
  if (parameters.get('action') !== 'Save') return html('');
  // Every field that is not sent keeps its value, except this one.
  setAll(account, [['services', ''], ...parameters]);
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
    if (part === 'userconfig') return userConfig(running, parameters);
    return xml(running, '<error>no or wrong part parameter</error>');
  }
  return html('Status');
}
