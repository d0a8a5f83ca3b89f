/**
 * An account of the stand-in for OSCam, which reads and writes `oscam.user`. Texts are latin1
 * strings, one character per byte, because OSCam keeps bytes as they are.
 */
export type OscamAccount = Record<string, string>;

const KEY_WIDTH = 30;
const DEFAULT_GROUP = '1';
/** Keys in the order in which OSCam writes them, each with the default value that OSCam leaves out. */
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

/** Reads a number as C does: up to the first character that does not fit, and 0 if there is no number. */
function numberIn(text: string): number {
  return Number(/^[ \t]*([+-]?\d+)/.exec(text)?.[1] ?? 0);
}

function dayIn(text: string): string {
  const [, year = '', month = '', day = ''] = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})/.exec(text) ?? [];
  return year && `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const HIGHEST_GROUP = 64;

function groupsIn(text: string): string {
  const groups = text.split(',').map((part) => Number(/^ *\d+ *$/.exec(part)?.[0] ?? 0));
  const known = groups.filter((group) => group >= 1 && group <= HIGHEST_GROUP);
  return [...new Set(known)].sort((one, other) => one - other).join(',');
}

const hex = (text: string | undefined) => {
  const digits = (text ?? '').trim();
  return /^[0-9a-f]*$/i.test(digits) ? Number.parseInt(digits || '0', 16) : Number.NaN;
};
const printed = (number: number, digits: number) =>
  number.toString(16).toUpperCase().padStart(digits, '0');

/** CAIDs with mask and mapping, in the form that OSCam prints. */
function caidsIn(text: string): string {
  const items = text.split(',').flatMap((item) => {
    const [before = '', to] = item.split(':');
    const [from, masked = 'ffff'] = before.split('&');
    const [caid, mask, map] = [hex(from), hex(masked), hex(to)];
    if (Number.isNaN(caid + mask + map) || caid + map === 0) return [];
    const shownMask = mask && mask !== 0xffff ? `&${printed(mask, 4)}` : '';
    return [
      `${printed(caid, caid < 0x100 ? 2 : 4)}${shownMask}${map ? `:${printed(map, 4)}` : ''}`,
    ];
  });
  return items.join(',');
}

const MAX_PROVIDERS = 32;

function identsIn(text: string): string {
  const items = text.split(';').flatMap((item) => {
    const [from, list = ''] = item.split(':');
    const providers = list.split(',').map(hex).slice(0, MAX_PROVIDERS);
    if (!hex(from) || !list) return [];
    return [`${printed(hex(from), 4)}:${providers.map((id) => printed(id, 6)).join(',')}`];
  });
  return items.join(';');
}

/** Names of services in the order of `oscam.services`. Names that are not in it are lost. */
function servicesIn(text: string, known: string | undefined): string {
  const names = text
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  if (known === undefined) return names.filter(Boolean).join(',');
  const labels = Array.from(known.toLowerCase().matchAll(/^\[(.*)\]/gm), ([, label = '']) => label);
  return labels
    .flatMap((label) => [label, `!${label}`])
    .filter((name) => names.includes(name))
    .join(',');
}

function settingOf(key: string, text: string, services: string | undefined): string {
  if (key === 'disabled') return numberIn(text) === 0 ? '0' : '1';
  if (key === 'expdate') return dayIn(text);
  if (key === 'group') return groupsIn(text);
  if (key === 'caid') return caidsIn(text);
  if (key === 'ident') return identsIn(text);
  if (key === 'services') return servicesIn(text, services);
  if (!NUMBERS.includes(key)) return text;
  return text === '' ? (DEFAULTS[key] ?? '') : String(numberIn(text));
}

export function isDisabled(account: OscamAccount): boolean {
  return account.disabled === '1';
}

/**
 * Sets the known settings; OSCam forgets unknown ones. `services` is the content of
 * `oscam.services`, if that file exists.
 */
export function setAll(
  account: OscamAccount,
  settings: Iterable<readonly [string, string]>,
  services?: string,
): void {
  for (const [name, text] of settings) {
    const key = name.toLowerCase();
    if (Object.hasOwn(DEFAULTS, key)) account[key] = settingOf(key, text, services);
  }
}

/** The account that OSCam creates when its web interface is asked for an unknown name. */
export function newAccount(name: string): OscamAccount {
  return { ...DEFAULTS, disabled: '1', user: name, group: DEFAULT_GROUP };
}

export function readAccounts(text: string, services?: string): OscamAccount[] {
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
    if (current && key !== undefined && value !== undefined)
      setAll(current, [[key, value]], services);
  }
  return accounts;
}

/** The whole file as OSCam writes it, without the operator's comments and unknown settings. */
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
