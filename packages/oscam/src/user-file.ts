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

/** The text without the blanks that OSCam drops; others, such as U+00A0, may be bytes of a letter. */
function withoutBlanks(text: string): string {
  const isBlank = (at: number) => ' \t\r'.includes(text.charAt(at));
  let [begin, end] = [0, text.length];
  while (begin < end && isBlank(begin)) begin += 1;
  while (end > begin && isBlank(end - 1)) end -= 1;
  return text.slice(begin, end);
}

export function readFileAccounts(text: string): FileAccount[] {
  const accounts: Map<string, string>[] = [];
  let current: Map<string, string> | undefined;
  for (const line of text.split('\n')) {
    const setting = withoutBlanks(line);
    if (setting.startsWith('[') && setting.endsWith(']')) {
      current = setting.toLowerCase() === '[account]' ? new Map() : undefined;
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
  const named = (account.get('services') ?? '').toLowerCase().split(',').map(withoutBlanks);
  return named.filter((name) => name !== '' && !known.has(name.replace(/^!/, '')));
}
