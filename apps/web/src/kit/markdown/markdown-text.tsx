import { useRouter } from '@tanstack/react-router';
import {
  type ComponentProps,
  type ComponentType,
  type MouseEvent,
  type ReactNode,
  useMemo,
} from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import styles from './markdown.module.css';
import { wordsOf } from './words.ts';

interface Node {
  type: string;
  value?: string;
  children?: Node[] | undefined;
  url?: string;
}

function broken(node: Node): Node[] {
  if (node.type !== 'text' || !node.value?.includes('\n')) return [withBreaks(node)];
  return node.value
    .split(/[\t ]*\r?\n/)
    .flatMap((value, at) => [
      ...(at > 0 ? [{ type: 'break' }] : []),
      ...(value ? [{ ...node, value }] : []),
    ]);
}

function withBreaks(node: Node): Node {
  if (node.children) node.children = node.children.flatMap(broken);
  return node;
}

/** A plugin for remark that keeps a line break within a paragraph. */
function keepLines() {
  return (tree: Node): void => {
    withBreaks(tree);
  };
}

/** Names in a text that become links. */
export interface NamedInText {
  /** The id to which the link leads, for each name. */
  ids: ReadonlyMap<string, string>;
  Link: ComponentType<{ id: string; children: ReactNode }>;
}

const NAMED = '/named/';

/** A plugin for remark that makes links of names, except within other links. */
function linkNames({ ids }: NamedInText) {
  const linked = (node: Node): Node[] => {
    if (node.type === 'link') return [node];
    if (node.children) node.children = node.children.flatMap(linked);
    if (node.type !== 'text' || !node.value) return [node];
    return wordsOf(node.value).map((word) => {
      const id = ids.get(word);
      const text = { ...node, value: word };
      return id ? { type: 'link', url: `${NAMED}${id}`, children: [text] } : text;
    });
  };
  return (tree: Node): void => {
    tree.children = tree.children?.flatMap(linked);
  };
}

const OWN_PATH = /^\/(?![/\\])/;
const SAFE_LINK = /^(?:https?:|mailto:)/i;
const SAFE_IMAGE = /^(?:blob:|data:image\/(?:png|jpeg|webp|gif);)/i;

/** Removes addresses that would run a script, or load something from another site. */
function safeAddress(address: string, key: string): string | undefined {
  if (OWN_PATH.test(address)) return address;
  const isSafe = key === 'src' ? SAFE_IMAGE : SAFE_LINK;
  return isSafe.test(address) ? address : undefined;
}

/** A link. Within the panel it opens without a reload; other sites do not get the address of the present page. */
function SafeLink({ href, children }: ComponentProps<'a'>) {
  const router = useRouter();
  if (!href) return <span>{children}</span>;
  if (!OWN_PATH.test(href)) {
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    );
  }
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void router.navigate({ href });
  };
  return (
    <a href={href} onClick={follow}>
      {children}
    </a>
  );
}

const components: Components = {
  a: ({ href, children }) => <SafeLink {...(href ? { href } : {})}>{children}</SafeLink>,
  img: ({ src, alt }) => (src ? <img src={src} alt={alt ?? ''} loading="lazy" /> : (alt ?? null)),
  // The page's own title is the only h1.
  h1: ({ children }) => <h2>{children}</h2>,
  // The table scrolls in its own frame, so that the page does not.
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div className={styles.table} tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <pre tabIndex={0}>{children}</pre>
  ),
};

function namedLink({ Link }: NamedInText): NonNullable<Components['a']> {
  return ({ href, children }) =>
    href?.startsWith(NAMED) ? (
      <Link id={href.slice(NAMED.length)}>{children}</Link>
    ) : (
      <SafeLink {...(href ? { href } : {})}>{children}</SafeLink>
    );
}

const plugins = [remarkGfm];
const linePlugins = [remarkGfm, keepLines];

export interface MarkdownProps {
  text: string;
  /** True to keep line breaks, as people expect for texts that they write to each other. */
  keepsLines?: boolean;
  named?: NamedInText | undefined;
}

export function MarkdownText({ text, keepsLines = false, named }: MarkdownProps) {
  const all = useMemo(
    () => [...(keepsLines ? linePlugins : plugins), ...(named ? [() => linkNames(named)] : [])],
    [keepsLines, named],
  );
  const drawn = useMemo(
    () => (named ? { ...components, a: namedLink(named) } : components),
    [named],
  );
  return (
    <div className={styles.markdown}>
      <ReactMarkdown remarkPlugins={all} components={drawn} urlTransform={safeAddress}>
        {text}
      </ReactMarkdown>
    </div>
  );
}
