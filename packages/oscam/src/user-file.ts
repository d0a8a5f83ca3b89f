/**
 * Accounts of `oscam.user` as OSCam reads them. Texts are bytes, one latin1 character each, because OSCam keeps bytes
 * as they are.
 */
export type FileAccount = ReadonlyMap<string, string>;

/** The text of a file that the API shows; undefined if it shows none. A value may have the text that ends CDATA. */
export function readFile(body: string): string | undefined {
  const begin = body.indexOf('<![CDATA[');
  const end = body.lastIndexOf(']]>');
  if (!/<file\s/.test(body) || begin < 0 || end < begin) return undefined;
  return body.slice(begin + '<![CDATA['.length, end);
}

export function readFileAccounts(text: string): FileAccount[] {
  const accounts: Map<string, string>[] = [];
  let current: Map<string, string> | undefined;
  for (const line of text.split('\n')) {
    const setting = line.replace(/^[ \t\r]+|[ \t\r]+$/g, '');
    const heading = /^\[(.*)\]$/.exec(setting)?.[1];
    if (heading !== undefined) {
      current = heading.toLowerCase() === 'account' ? new Map() : undefined;
      if (current) accounts.push(current);
      continue;
    }
    const [, key = '', value = ''] = /^([^#=][^=]*?)[ \t]*=[ \t]*(.*)$/.exec(setting) ?? [];
    if (key) current?.set(key.toLowerCase(), value);
  }
  return accounts;
}

/** The day of an account as YYYY-MM-DD; null if it has none that can be read. */
export function dayOf(account: FileAccount): string | null {
  const text = account.get('expdate') ?? '';
  const [, year, month = '', day = ''] = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})/.exec(text) ?? [];
  return year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : null;
}
