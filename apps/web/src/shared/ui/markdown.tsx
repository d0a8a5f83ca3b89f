import { lazyComponent } from './lazy-component.tsx';
import styles from './markdown.module.css';

interface MarkdownProps {
  children: string;
}

/** Until the code is there, and where it cannot be fetched: the text as it was typed. */
function AsTyped({ children }: MarkdownProps) {
  return (
    <div className={styles.typed} dir="auto">
      {children}
    </div>
  );
}

/**
 * Text in Markdown. HTML in it is shown as text, nothing is loaded from other sites, and what it
 * links to opens in a tab of its own.
 */
export const Markdown = lazyComponent<MarkdownProps>(
  async () => (await import('./markdown-view.tsx')).MarkdownView,
  { before: AsTyped, isPart: true },
);
