import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...globSync('docs/{*,tutorials/*,how-to/*,reference/*,explanation/*,decisions/*}.md', {
    cwd: root,
  }),
];
const compose = read('compose.yml');

/** Each block of commands, with its page. */
const blocks = pages.flatMap((page) =>
  [...read(page).matchAll(/^( *)```sh\n(.*?)^\1```$/gms)].map(([, indent = '', text = '']) => ({
    page,
    commands: text
      .replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      .replace(/<[a-z ]+>/g, 'something'),
  })),
);
const all = (pattern: RegExp) =>
  blocks.flatMap(({ page, commands }) =>
    [...commands.matchAll(pattern)].map(([, found = '']) => ({ page, found })),
  );

describe('the commands of the guides', () => {
  test('are found, and are what a shell can read', () => {
    expect(blocks.length).toBeGreaterThan(30);
    for (const { page, commands } of blocks) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: commands, encoding: 'utf8' });
      expect(`${page}: ${stderr}${status}`, commands).toBe(`${page}: 0`);
    }
  });

  test('run scripts and files that there are', () => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = all(/\bnpm (?:run )?((?!install|ci\b)[a-z][\w:-]*)/g);
    expect(named.length).toBeGreaterThan(10);
    for (const { page, found } of named) expect(scripts, page).toHaveProperty([found]);
    const files = all(/(?<![\w/.-])((?:deploy|apps|scripts|packages)\/[\w@./-]+)/g);
    expect(files.length).toBeGreaterThan(10);
    for (const { page, found } of files) {
      expect(existsSync(join(root, found)), `${page}: ${found}`).toBe(true);
    }
  });

  test('name units that there are', () => {
    const others = ['caddy', 'nginx', 'nftables'];
    const acts = /\bsystemctl (?:enable|disable|start|stop|restart|edit)(?: --now)? ([^&|;#\n]+)/g;
    const units = all(acts).flatMap(({ found }) => found.trim().split(/\s+/));
    expect(units.length).toBeGreaterThan(5);
    for (const unit of units) {
      const [name = ''] = unit.split('@');
      const files = [unit, `${unit}.service`, `${name}@.service`].map((file) => `deploy/${file}`);
      const isThere = files.some((file) => existsSync(join(root, file)));
      expect(isThere || others.includes(unit), unit).toBe(true);
    }
  });

  test('name services and volumes of compose.yml', () => {
    const services = [...compose.matchAll(/^ {2}([a-z][\w-]*):$/gm)].map(([, name]) => name);
    const acts = /\bdocker compose (?:up|stop|logs|run|cp|pull|exec)\b((?: +[^\s|&]+| \\\n)*)/g;
    const words = all(acts).flatMap(
      ({ found }) => found.match(/(?<=\s)[a-z]+-\d(?=[\s:]|$)/g) ?? [],
    );
    expect(words.length).toBeGreaterThan(5);
    for (const word of words) expect(services).toContain(word);
  });
});

describe('links between the pages', () => {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');

  test.each(pages)('of %s lead somewhere', (page) => {
    const text = read(page).replace(/^```.*?^```/gms, '');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
      const [path = '', heading] = target.split('#');
      const file = path ? join(dirname(page), path) : page;
      expect(existsSync(join(root, file)), `${page}: ${target}`).toBe(true);
      if (!heading) continue;
      const headings = [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => slug(title));
      expect(headings, `${page}: ${target}`).toContain(heading);
    }
  });
});

test.each(globSync('docs/how-to/*.md', { cwd: root }))(
  '%s begins with what is needed, and ends with what is then to be seen',
  (page) => {
    const headings = [...read(page).matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(headings[0]).toMatch(/^What (?:you need|it needs)$/);
    expect(headings.at(-1)).toBe('What you should see');
  },
);

test('every page of the guides is linked by another one', () => {
  const linked = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s#]+\.md)/g)]
      .map(([, target = '']) => join(dirname(page), target))
      .filter((target) => target !== page),
  );
  const guides = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
  expect(guides.filter((page) => !linked.includes(page))).toEqual([]);
});

/** The English texts of the web app by namespace. A text that refers to another one is replaced by it. */
const textsOf = new Map(
  globSync('apps/web/src/locales/en/*.json', { cwd: root }).map((file) => [
    basename(file, '.json'),
    new Map(flatten(JSON.parse(read(file)))),
  ]),
);

function flatten(part: object, prefix = ''): [key: string, text: string][] {
  return Object.entries(part).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  );
}

const wordsOf = (namespace: string) =>
  [...(textsOf.get(namespace)?.values() ?? [])].map((text) =>
    text.replace(
      /\$t\((\w+):([\w.]+)\)/g,
      (whole, name, key) => textsOf.get(name)?.get(key) ?? whole,
    ),
  );
const texts = [...textsOf.keys()].flatMap(wordsOf);

/** Each screen of the register, with the entries of the menu that it names, and all texts that its page can show. */
const screens = new Map(
  globSync('apps/web/src/screens/*-screens.ts', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/^ {2}(\w+): \{\n(.*?)^ {2}\},$/gms)].map(
      ([, name = '', body = '']) => {
        const [, parent = ''] = /parent: '(\w+)'/.exec(body) ?? [];
        const [, namespaces = ''] = /texts: \[(.*?)\]/s.exec(body) ?? [];
        const labels = [...body.matchAll(/'(nav\.\w+)'/g)].map(
          ([, key = '']) => textsOf.get('common')?.get(key) ?? '',
        );
        const shown = [...namespaces.matchAll(/\w+/g)].flatMap(([namespace]) => wordsOf(namespace));
        return [name, { parent, labels, shown }] as const;
      },
    ),
  ),
);

/** The entries of the navigation and of the account's menu, each with the screens that it leads to. */
const navigation = new Map<string, string[]>(
  [
    ...[
      ...read('apps/web/src/screens/menu.ts').matchAll(/text: '(nav\.\w+)'.*?screens: \[(.*?)\]/gs),
    ].map(
      ([, key = '', names = '']) =>
        [
          textsOf.get('common')?.get(key) ?? '',
          [...names.matchAll(/\w+/g)].map(([name]) => name),
        ] as const,
    ),
    ...[
      'profile',
      'settings',
      ...(read('apps/web/src/screens/menu.ts').match(/(?<=^ {2}')\w+(?=',$)/gm) ?? []),
    ].flatMap((name) => (screens.get(name)?.labels ?? []).map((label) => [label, [name]] as const)),
  ].map(([label, names]) => [label, [...names]]),
);

/**
 * True if a path begins with an entry of the navigation, and continues with words of the pages to
 * which the entry leads.
 */
function isInMenu([entry = '', ...others]: string[]): boolean {
  const names = navigation.get(entry);
  if (!names) return false;
  const behind = [...screens].filter(
    ([name, { parent }]) => names.includes(name) || names.includes(parent),
  );
  const shown = behind.flatMap(([, screen]) => [...screen.labels, ...screen.shown]);
  const outside = [...(textsOf.get('common') ?? [])].filter(([key]) => key.startsWith('nav.'));
  const places = new Set(outside.map(([, text]) => text));
  // Menus and dialogs of lists have texts that no screen declares.
  const ofLists = [...(textsOf.get('bulk') ?? [])].flatMap(([key, text]) =>
    /^(list|recent)\./.test(key) ? [text] : [],
  );
  const ofDialogs = [...wordsOf('common').filter((text) => !places.has(text)), ...ofLists];
  // Labels that several pages share are loaded with the frame around each page.
  const shared = [...(textsOf.get('frame') ?? [])].flatMap(([key, text]) =>
    key.startsWith('recurring.') ? [text] : [],
  );
  const known = new Set([...shown, ...ofDialogs, ...shared]);
  return others.every((name) => known.has(name));
}

/** The words in italics on a page, except those in blocks, code and tables of columns. */
const italicsOf = (page: string) =>
  [
    ...read(page)
      .replace(/^ *```.*?^ *```$/gms, '')
      .replace(/`[^`\n]*`/g, '')
      .replace(/\s+/g, ' ')
      .matchAll(/(?<![*\w])\*([^*|]+)\*(?![*\w])/g),
  ].map(([, words = '']) => ({ page, words }));
const named = pages
  .filter((page) => !/CHANGELOG|decisions|conformance/.test(page))
  .flatMap(italicsOf);
const paths = named.filter(({ words }) => words.includes(' → '));

test('the paths through the menu that guides name are there', () => {
  expect(paths.length).toBeGreaterThan(10);
  expect(navigation.size).toBeGreaterThan(12);
  // Paths through the menus of other sites.
  const others = /^(Security → Report a vulnerability|Developers → .*)$/;
  const own = paths.filter(({ words }) => !others.test(words));
  expect(own.filter(({ words }) => !isInMenu(words.split(' → ')))).toEqual([]);
});

/** False for texts with little more than a value, such as {{count}} or {{name}}, which could be any words. */
const hasWords = (text: string) => /\p{L}{2}/u.test(text.replace(/\{\{.*?\}\}/g, ''));

/**
 * Words in italics that are not labels of the panel: messages, the plan that every panel has, and
 * labels of other programs.
 */
const otherItalics =
  /^(Standard|No answer|Refused|Accepted|Too many attempts|Export Users \(CSV\)|Save as|Tools|CSV UTF-8|Upgrade notes)$/;

test('the labels of the panel that guides print in italics are there', () => {
  const label = (text: string) =>
    text
      .replace(/’/g, "'")
      .split(/\{\{.*?\}\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.+');
  const known = new RegExp(`^(?:${[...new Set(texts)].filter(hasWords).map(label).join('|')})$`);
  const labels = named.filter(
    ({ page, words }) =>
      page.startsWith('docs/') &&
      /^[A-Z]/.test(words) &&
      !words.includes(' → ') &&
      !/[.,:] |[.…]$/.test(words) &&
      !otherItalics.test(words),
  );
  expect(labels.length).toBeGreaterThan(50);
  const isShown = (words: string) =>
    known.test(words) || texts.some((text) => text.startsWith(`${words} `));
  expect(labels.filter(({ words }) => !isShown(words))).toEqual([]);
});

test('what articles print in bold as the panel’s words is there', () => {
  const shown = texts.map((text) => text.replace(/\{\{.*?\}\}/g, '…').toLowerCase());
  const articles = globSync('apps/server/src/features/articles/shipped/en/*.md', { cwd: root });
  const bold = articles.flatMap((page) =>
    [...read(page).matchAll(/\*\*([^*]+)\*\*/g)].map(([, words = '']) => ({ page, words })),
  );
  // Sentences, the headings of a list, and refusals in quotes are left out.
  const named = bold.filter(({ words }) => !/^“|\.$/.test(words));
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter(
    ({ words }) => !shown.some((text) => text.startsWith(words.toLowerCase().replace(/….*/, ''))),
  );
  expect(missing).toEqual([]);
});

describe('the decisions', () => {
  const decisions = pages.filter((page) => page.startsWith('docs/decisions/0'));
  const list = read('docs/decisions/README.md');
  const numberOf = (page: string) => /\/(\d{4})-/.exec(page)?.[1] ?? page;

  test('are at most 30, and all in their list under their title', () => {
    expect(decisions.length).toBeGreaterThan(20);
    expect(decisions.length).toBeLessThanOrEqual(30);
    for (const page of decisions) {
      const [, title = ''] = /^# (.*)$/m.exec(read(page)) ?? [];
      const number = numberOf(page);
      const row = `- [${number}](${basename(page)}) ${title.replace(`${number} `, '')}`;
      expect(list.split('\n'), page).toContain(row);
    }
  });

  test.each(decisions)(
    '%s has a title, a status with its day, four parts and at most 250 words',
    (page) => {
      const text = read(page);
      expect(text).toMatch(
        new RegExp(
          `^# ${numberOf(page)} [A-Z].*\n\nStatus: Accepted, 20\\d\\d-[01]\\d-[0-3]\\d\n\n## Decision\n`,
        ),
      );
      const parts = [...text.matchAll(/^## (.*)$/gm)].map(([, name]) => name);
      expect(parts).toEqual(['Decision', 'Why', 'What was weighed', 'What it costs']);
      expect(text.trim().split(/\s+/).length).toBeLessThanOrEqual(250);
    },
  );

  test('are each named by a comment at the code that follows them, and no others are', () => {
    const comments = globSync(
      '{.dependency-cruiser.cjs,{apps,packages,scripts,e2e,bench}/**/*.{ts,tsx,mjs,css}}',
      {
        cwd: root,
        exclude: (path) => /node_modules|dist$/.test(path),
      },
    ).flatMap((file) => read(file).match(/^\s*(?:\/\*|\*|\/\/).*$/gm) ?? []);
    const named = comments
      .join('\n')
      .replace(/\n\s*(?:\*|\/\/)/g, '')
      .matchAll(/\bdecisions?[ /](0\d{3})\b/gi);
    const numbers = [...new Set([...named].map(([, number = '']) => number))].toSorted();
    expect(numbers).toEqual(decisions.map(numberOf).toSorted());
  });

  test('name files that there are', () => {
    const files = globSync('{apps,packages,e2e,scripts,bench,deploy,docs}/**/*.*', {
      cwd: root,
      exclude: (path) => /node_modules|dist$/.test(path),
    }).concat(globSync('{,.}*.*', { cwd: root }));
    const named = decisions.flatMap((page) =>
      [...read(page).matchAll(/`([\w./-]+\.(?:ts|tsx|mjs|cjs|css|sql|md|json|service))`/g)].map(
        ([, path = '']) => ({ page, path }),
      ),
    );
    expect(named.length).toBeGreaterThan(10);
    const gone = named.filter(
      ({ path }) => !files.some((file) => file === path || file.endsWith(`/${path}`)),
    );
    expect(gone).toEqual([]);
  });
});

describe('compose.yml', () => {
  const sections = compose.split(/^(?=services:|networks:|volumes:)/m);
  const services = (sections.find((part) => part.startsWith('services:')) ?? '').split(
    /^(?= {2}[a-z][\w-]*:$)/m,
  );

  test('rotates every container’s log', () => {
    expect(compose).toMatch(/^ {2}options: \{ max-size: \d+m, max-file: '\d+' \}$/m);
    expect(services.length).toBeGreaterThan(4);
    for (const service of services.slice(1)) {
      expect(service).toMatch(/logging: \*logging|<<: \*panel/);
    }
    expect(compose).toMatch(/^x-panel: &panel\n {2}logging: \*logging$/m);
  });

  test('mounts files that there are, and names its volumes', () => {
    for (const [, source = ''] of compose.matchAll(/^ {6}- (\.[^:]+):/gm)) {
      expect(existsSync(join(root, source)), source).toBe(true);
    }
    const used = [...compose.matchAll(/(?:volumes: \[|^ {6}- )([a-z]+):\//gm)].map(
      ([, name]) => name,
    );
    const named = sections.find((part) => part.startsWith('volumes:')) ?? '';
    expect(used.length).toBeGreaterThan(2);
    for (const name of used) expect(named).toMatch(new RegExp(`^ {2}${name}:$`, 'm'));
  });
});

test('the rules of the firewall are well-formed, and let in what the guide lists', () => {
  const [, rules = ''] = /```nft\n(.*?)```/s.exec(read('docs/how-to/hardening.md')) ?? [];
  expect(rules.match(/\{/g)).toHaveLength(rules.match(/\}/g)?.length ?? 0);
  expect(rules).toContain('policy drop;');
  for (const port of ['22', '80, 443', '12000'])
    expect(rules).toMatch(new RegExp(`dport .*${port}.* accept`));
  // The test uses nft's own check, on machines that have nft. It needs root.
  if (spawnSync('nft', ['--version']).status !== 0 || process.getuid?.() !== 0) return;
  const { status, stderr } = spawnSync('nft', ['-c', '-f', '-'], {
    input: rules,
    encoding: 'utf8',
  });
  if (/Operation not permitted/.test(stderr)) return;
  expect(`${stderr}${status}`).toBe('0');
});
