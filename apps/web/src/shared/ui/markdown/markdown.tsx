import { lazyComponent } from '../lazy-component.tsx';
import type { MarkdownProps } from './markdown-text.tsx';

/**
 * Markdown without raw HTML, with safe links, and with images only of this panel. Its libraries are
 * fetched when the first text is shown; until then, and where that fails, the text stands as typed.
 */
export const Markdown = lazyComponent<MarkdownProps>(
  async () => (await import('./markdown-text.tsx')).MarkdownText,
  { isPart: true, before: ({ text }) => <p style={{ whiteSpace: 'pre-wrap' }}>{text}</p> },
);
