/**
 * Accounts of the stand-in for OSCam: how it reads and writes `oscam.user`. Texts are latin1
 * strings, one character per byte, because OSCam keeps bytes as they are.
 */
export type OscamAccount = Record<string, string>;

const KEY_WIDTH = 30;
const DEFAULT_GROUP = '1';
/** Keys in the order in which OSCam writes them, with the values that it leaves out. */
const DEFAULTS: OscamAccount = {
  disabled: '0',
  user: '',
  pwd: '',
  description: '',
  hostname: '',
  caid: '',
  uniq: '0',
  sleepsend: '',
  failban: '0',
  monlevel: '0',
  sleep: '0',
  suppresscmd08: '0',
  keepalive: '0',
  au: '',
  expdate: '',
  allowedtimeframe: '',
  betatunnel: '',
  group: '',
  services: '',
  ident: '',
  chid: '',
  class: '',
  max_connections: '1',
  cccmaxhops: '10',
  cccreshare: '-1',
  cccignorereshare: '',
  cccstealth: '',
};
const NUMBERS = ['uniq', 'failban', 'monlevel', 'sleep', 'suppresscmd08', 'keepalive'];
NUMBERS.push('max_connections', 'cccmaxhops', 'cccreshare');

/** Reads a number as C does: up to its first strange character, and 0 without one. */
function numberIn(text: string): number {
  return Number(/^[ \t]*([+-]?\d+)/.exec(text)?.[1] ?? 0);
}

function dayIn(text: string): string {
  const [, year = '', month = '', day = ''] = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})/.exec(text) ?? [];
  return year && `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function settingOf(key: string, text: string): string {
  if (key === 'disabled') return numberIn(text) === 0 ? '0' : '1';
  if (key === 'expdate') return dayIn(text);
  return NUMBERS.includes(key) ? String(numberIn(text)) : text;
}

export function isDisabled(account: OscamAccount): boolean {
  return account.disabled === '1';
}

/** Sets the known settings among these; OSCam forgets unknown ones. */
export function setAll(account: OscamAccount, settings: Iterable<readonly [string, string]>): void {
  for (const [name, text] of settings) {
    const key = name.toLowerCase();
    if (Object.hasOwn(DEFAULTS, key)) account[key] = settingOf(key, text);
  }
}

/** The account that OSCam makes when its web interface is asked for a name that it does not know. */
export function newAccount(name: string): OscamAccount {
  return { ...DEFAULTS, disabled: '1', user: name, group: DEFAULT_GROUP };
}

export function readAccounts(text: string): OscamAccount[] {
  const accounts: OscamAccount[] = [];
  let current: OscamAccount | undefined;
  for (const line of text.split('\n')) {
    const setting = line.replace(/^[ \t\r]+|[ \t\r]+$/g, '');
    const heading = /^\[(.*)\]$/.exec(setting)?.[1];
    if (heading !== undefined) {
      current = heading.toLowerCase() === 'account' ? { ...DEFAULTS } : undefined;
      if (current) accounts.push(current);
      continue;
    }
    const [, key, value] = /^([^#=][^=]*?)[ \t]*=[ \t]*(.*)$/.exec(setting) ?? [];
    if (current && key !== undefined && value !== undefined) setAll(current, [[key, value]]);
  }
  return accounts;
}

/** The whole file as OSCam writes it: without the operator's comments and unknown settings. */
export function writeAccounts(accounts: OscamAccount[], version: string): string {
  const sections = accounts.map((account) => {
    const lines = Object.entries(DEFAULTS).flatMap(([key, usual]) => {
      const value = account[key] ?? usual;
      return value === usual ? [] : [`${key.padEnd(KEY_WIDTH)}= ${value}\n`];
    });
    return `[account]\n${lines.join('')}\n`;
  });
  return `# oscam.user generated automatically by Streamboard OSCam ${version}\n\n${sections.join('')}`;
}
