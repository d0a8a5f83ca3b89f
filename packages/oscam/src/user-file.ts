/**
 * Accounts of `oscam.user` as OSCam reads them. Texts are bytes, one latin1 character each, because OSCam keeps bytes
 * as they are.
 */
export type FileAccount = ReadonlyMap<string, string>;

/** The text of a file in a response; undefined if it has none. A value may contain the text that ends CDATA. */
export function readFile(body: string): string | undefined {
  const begin = body.indexOf('<![CDATA[');
  const end = body.lastIndexOf(']]>');
  if (!/<file\s/.test(body) || begin < 0 || end < begin) return undefined;
  return body.slice(begin + '<![CDATA['.length, end);
}

/** The text without the blanks that OSCam drops; other blanks, such as U+00A0, may be bytes of a letter. */
function withoutBlanks(text: string): string {
  const isBlank = (at: number) => ' \t\r'.includes(text.charAt(at));
  let [begin, end] = [0, text.length];
  while (begin < end && isBlank(begin)) begin += 1;
  while (end > begin && isBlank(end - 1)) end -= 1;
  return text.slice(begin, end);
}

/** Sections of one of OSCam's files, such as the readers of `oscam.server`. */
export function readSections(text: string, heading: string): FileAccount[] {
  const accounts: Map<string, string>[] = [];
  let current: Map<string, string> | undefined;
  for (const line of text.split('\n')) {
    const setting = withoutBlanks(line);
    if (setting.startsWith('[') && setting.endsWith(']')) {
      current = setting.toLowerCase() === `[${heading}]` ? new Map() : undefined;
      if (current) accounts.push(current);
      continue;
    }
    const equals = setting.indexOf('=');
    if (equals < 1 || setting.startsWith('#')) continue;
    const key = withoutBlanks(setting.slice(0, equals));
    current?.set(key.toLowerCase(), withoutBlanks(setting.slice(equals + 1)));
  }
  return accounts;
}

export const readFileAccounts = (text: string) => readSections(text, 'account');

/** Default values of numbers, which OSCam leaves out when it saves. */
const USUAL: Record<string, string> = {
  uniq: '0',
  max_connections: '1',
  cccmaxhops: '10',
  cccreshare: '-1',
};

/** Numbers of groups, each once, in ascending order. */
export function normalGroups(text: string): string {
  if (/^[1-9]\d*$/.test(text)) return text;
  const numbers = text.split(',').map((part) => Number(/^[ \t]*(\d+)/.exec(part)?.[1] ?? 0));
  const groups = [...new Set(numbers)].filter((group) => group > 0).sort((a, b) => a - b);
  return groups.join(',');
}

/** The names in a setting `services`, in lower case as OSCam reads them. */
export const servicesIn = (text: string) =>
  text.toLowerCase().split(',').map(withoutBlanks).filter(Boolean);

/** A right of an account in one form for all of its spellings. OSCam normalises rights when it saves. */
function normalOf(key: string, text: string): string {
  const usual = USUAL[key];
  if (usual !== undefined) return String(Number(/^[+-]?\d+/.exec(text)?.[0] ?? usual));
  if (key === 'group') return normalGroups(text);
  if (key === 'services') return [...new Set(servicesIn(text))].sort().join(',');
  const digits = /[0-9a-f]+/gi;
  return text.replace(/[ \t]/g, '').replace(digits, (hex) => Number.parseInt(hex, 16).toString(16));
}

/** True if two values of a right mean the same to OSCam; a right without a line is empty. */
export const isSameRight = (key: string, one: string, other: string) =>
  normalOf(key, one) === normalOf(key, other);

/**
 * The expiry date of an account in `oscam.user` as YYYY-MM-DD, from its `expdate`. Null if that is missing, or is not
 * written as year, month and day.
 */
export function dayOf(account: FileAccount): string | null {
  const text = account.get('expdate') ?? '';
  const [, year, month = '', day = ''] = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})/.exec(text) ?? [];
  return year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : null;
}

/** The names in `oscam.services`, which OSCam reads without regard to case. */
export function readServiceNames(text: string): Set<string> {
  const headings = text.split('\n').map(withoutBlanks);
  const named = headings.filter((line) => line.startsWith('[') && line.endsWith(']'));
  return new Set(named.map((line) => line.slice(1, -1).toLowerCase()));
}

/** Services of an account that OSCam does not know, and loses when it writes its file. */
export function unknownServices(account: FileAccount, known: ReadonlySet<string>): string[] {
  return servicesIn(account.get('services') ?? '').filter(
    (name) => !known.has(name.replace(/^!/, '')),
  );
}

/** The groups of OSCam's readers, each with the number of readers that are on, and the names of its services. */
export type RightsChoices = { groups: { group: number; readers: number }[]; services: string[] };

/** Reads the texts of `oscam.server` and `oscam.services`. */
export function readRightsChoices(readers: string, services: string): RightsChoices {
  const counts = new Map<number, number>();
  for (const reader of readSections(readers, 'reader')) {
    const isOn = !/^0*$/.test(reader.get('enable') ?? '1');
    for (const group of normalGroups(reader.get('group') ?? '').split(',')) {
      if (group) counts.set(Number(group), (counts.get(Number(group)) ?? 0) + Number(isOn));
    }
  }
  const groups = Array.from(counts, ([group, count]) => ({ group, readers: count }));
  return {
    groups: groups.sort((one, other) => one.group - other.group),
    services: [...readServiceNames(services)],
  };
}
