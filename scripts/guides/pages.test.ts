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

/** Each block of commands with the page that it is on. */
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

test('every page of the guides is linked by another one', () => {
  const linked = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s#]+\.md)/g)]
      .map(([, target = '']) => join(dirname(page), target))
      .filter((target) => target !== page),
  );
  const guides = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
  expect(guides.filter((page) => !linked.includes(page))).toEqual([]);
});

/** All English texts of the web app. */
const texts = globSync('apps/web/src/locales/en/*.json', { cwd: root })
  .flatMap((file) => [...read(file).matchAll(/": "((?:[^"\\]|\\.)*)"/g)])
  .map(([, text = '']) => text);

test('the ways through the menu that guides name are there', () => {
  const ways = pages
    .filter((page) => !/CHANGELOG|decisions/.test(page))
    .flatMap((page) =>
      [
        ...read(page)
          .replace(/\s+/g, ' ')
          .matchAll(/(?<!\*)\*([^*]+ → [^*]+)\*(?!\*)/g),
      ].map(([, way = '']) => ({ page, way })),
    );
  expect(ways.length).toBeGreaterThan(10);
  const others = /^(Security → Report a vulnerability|Developers → .*)$/;
  const own = ways.filter(({ way }) => !others.test(way));
  const missing = own.filter(({ way }) => !way.split(' → ').every((name) => texts.includes(name)));
  expect(missing).toEqual([]);
});

test('what articles print in bold as the panel’s words is there', () => {
  const shown = texts.map((text) => text.replace(/\{\{.*?\}\}/g, '…').toLowerCase());
  const articles = globSync('apps/server/src/features/articles/shipped/en/*.md', { cwd: root });
  const bold = articles.flatMap((page) =>
    [...read(page).matchAll(/\*\*([^*]+)\*\*/g)].map(([, words = '']) => ({ page, words })),
  );
  // Sentences, the heads of a list, and refusals in quotes.
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

  test('are at most 31, and all in their list under their title', () => {
    expect(decisions.length).toBeGreaterThan(20);
    expect(decisions.length).toBeLessThanOrEqual(31);
    for (const page of decisions) {
      const [, title = ''] = /^# (.*)$/m.exec(read(page)) ?? [];
      const number = numberOf(page);
      const row = `- [${number}](${basename(page)}) ${title.replace(`${number} `, '')}`;
      expect(list.split('\n'), page).toContain(row);
    }
  });

  test.each(decisions)(
    '%s has a title, a status with its day, three parts and at most 250 words',
    (page) => {
      const text = read(page);
      expect(text).toMatch(
        new RegExp(
          `^# ${numberOf(page)} [A-Z].*\n\nStatus: Accepted, 20\\d\\d-[01]\\d-[0-3]\\d\n\n## Decision\n`,
        ),
      );
      const parts = [...text.matchAll(/^## (.*)$/gm)].map(([, name]) => name);
      expect(parts).toEqual(['Decision', 'Why', 'What was weighed']);
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
  // nft's own judgement, on machines that have nft; it needs root.
  if (spawnSync('nft', ['--version']).status !== 0 || process.getuid?.() !== 0) return;
  const { status, stderr } = spawnSync('nft', ['-c', '-f', '-'], {
    input: rules,
    encoding: 'utf8',
  });
  if (/Operation not permitted/.test(stderr)) return;
  expect(`${stderr}${status}`).toBe('0');
});
