import { type FoundLine, noLine } from './outcome.ts';

interface Section {
  number: number;
  values: Map<string, string>;
}

/** The sections called [account]; a key that is given twice counts as it was given last. */
function accountSections(text: string): Section[] {
  const sections: Section[] = [];
  let open: Section | null = null;
  for (const [index, row] of text.split(/\r\n?|\n/).entries()) {
    const content = row.trim();
    if (content === '' || content.startsWith('#') || content.startsWith(';')) continue;
    const heading = /^\[\s*(.*?)\s*\]/.exec(content)?.[1];
    if (heading !== undefined) {
      open = heading.toLowerCase() === 'account' ? { number: index + 1, values: new Map() } : null;
      if (open) sections.push(open);
      continue;
    }
    const [, key = '', value = ''] = /^([^=]*?)\s*=\s*(.*)$/.exec(content) ?? [];
    open?.values.set(key.toLowerCase(), value);
  }
  return sections;
}

/** The accounts of an oscam.user; `expdate` is YYYY-MM-DD or YYYY/MM/DD. */
export function readOscam(text: string): FoundLine[] {
  return accountSections(text).map(({ number, values }) => ({
    ...noLine,
    number,
    username: values.get('user') ?? '',
    password: values.get('pwd') ?? '',
    expiry: values.get('expdate') || null,
    notes: values.get('description') || null,
    is_suspended: values.get('disabled') === '1',
  }));
}
