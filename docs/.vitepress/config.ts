import { cpSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { type DefaultTheme, defineConfig, type MarkdownRenderer } from 'vitepress';

// The site shows the pages as they are in the repository, with the links and diagrams that GitHub understands.
const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { version } = JSON.parse(read('package.json'));
const mark = `data:image/svg+xml,${encodeURIComponent(read('apps/web/public/favicon.svg'))}`;
/** The colours of the panel. */
const colours = read('apps/web/src/kit/theme/tailwind.css').match(/--color-[\w-]+: #\w+;/g);

/** The sections of the sidebar. Pages stand in the order of the start page, which links to them. */
const sections: [name: string, pages: string][] = [
  ['Start', '{README,docs/README,docs/tutorials/*}.md'],
  ['How to', 'docs/{how-to/*,troubleshooting}.md'],
  ['Reference', 'docs/reference/*.md'],
  ['Explanation', 'docs/explanation/*.md'],
  ['For developers', '{CONTRIBUTING,docs/rooms,bench/*}.md'],
  ['Decisions', 'docs/decisions/*.md'],
  ['Project', '{CHANGELOG,SECURITY,docs/screenshots/README}.md'],
];
const start = read('docs/README.md');

function sidebar([text, pattern]: (typeof sections)[number]): DefaultTheme.SidebarItem {
  const pages = globSync(pattern, { cwd: root }).map((page) => ({
    text: /^# (.*)$/m.exec(read(page))?.[1],
    link: `/${addressOf(page).replace(/(index)?\.md$/, '')}`,
    place: start.lastIndexOf(`](${relative('docs', page)}`),
  }));
  const items = pages.sort((one, two) => one.place - two.place || (one.link < two.link ? -1 : 1));
  return { text, items, collapsed: text === 'Decisions' };
}

function addressOf(page: string): string {
  if (page === 'README.md') return 'linekeeper.md';
  return page.replace(/^docs\//, '').replace(/README\.md$/, 'index.md');
}

/** The anchors of GitHub, which the links of the pages name. */
const slugify = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Files to which pages link and that are no pages. They are on the site as plain text. */
const files = new Set<string>();

/** What a link of a page leads to on the site. Throws if there is nothing. */
function follow(href: string, page: string): { href: string; target?: string } {
  if (/^([a-z]+:|#)/.test(href)) return { href };
  const [path = '', hash] = href.split('#');
  const file = join(dirname(page), path);
  if (!statSync(join(root, file), { throwIfNoEntry: false })?.isFile()) {
    throw new Error(`${page} links to ${href}, and there is no such file.`);
  }
  if (/^((docs|bench)\/.*|[^/]+)\.md$/.test(file)) {
    return { href: `/${addressOf(file)}${hash === undefined ? '' : `#${hash}`}` };
  }
  files.add(file);
  const text = relative(dirname(addressOf(page)), `files/${file}.txt`);
  // With a target, the browser follows the link itself.
  return { href: text, target: '_self' };
}

function readAsGitHub(md: MarkdownRenderer): void {
  md.core.ruler.push('links', ({ tokens, env }) => {
    const page = relative(root, env.realPath ?? env.path);
    for (const token of tokens.flatMap((one) => [one, ...(one.children ?? [])])) {
      if (token.type === 'link_open') {
        const link = follow(token.attrGet('href') ?? '', page);
        for (const [name, value] of Object.entries(link)) token.attrSet(name, value);
      }
      // Pictures are built in if their address begins with a dot.
      if (token.type.startsWith('html_')) {
        token.content = token.content.replace(/(?<= src=")(?=[\w-]+[./])(?!\w+:)/g, './');
      }
    }
  });
  const { text, fence } = md.renderer.rules;
  md.renderer.rules.text = (...given) => text?.(...given).replaceAll('{{', '&#123;&#123;') ?? '';
  md.renderer.rules.fence = (tokens, index, ...given) => {
    const { info = '', content = '' } = tokens[index] ?? {};
    return info === 'mermaid' ? draw(content) : (fence?.(tokens, index, ...given) ?? '');
  };

  function draw(diagram: string): string {
    const style = {
      bg: 'var(--vp-c-bg)',
      fg: 'var(--vp-c-text-1)',
      muted: 'var(--vp-c-text-2)',
      font: 'DM Sans Variable',
    };
    // The page has the fonts, which the picture would load from another site.
    const svg = renderMermaidSVG(diagram, style).replace(/@import url\(.*?\);/g, '');
    return `<div class="diagram" tabindex="0" v-html="${md.utils.escapeHtml(JSON.stringify(svg))}"></div>`;
  }
}

export default defineConfig({
  lang: 'en',
  title: 'Linekeeper',
  description: 'A control panel for subscription lines on card servers',
  head: [
    ['link', { rel: 'icon', href: mark }],
    ['style', {}, `:root{${colours?.join('')}}`],
  ],
  srcDir: root,
  srcExclude: ['!(docs|bench)/**/*.md'],
  cacheDir: join(root, '.cache/vitepress'),
  rewrites: addressOf,
  markdown: {
    linkify: false,
    anchor: { slugify },
    config: readAsGitHub,
    languageAlias: { nft: 'ini' },
  },
  themeConfig: {
    logo: mark,
    nav: [{ text: version, link: '/CHANGELOG' }],
    sidebar: sections.map(sidebar),
    outline: [2, 3],
    search: { provider: 'local' },
  },
  vite: { envDir: join(root, 'docs/.vitepress') },
  buildEnd({ outDir }) {
    for (const file of files) cpSync(join(root, file), join(outDir, `files/${file}.txt`));
  },
});
