import { ChevronDown } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Strong } from '#kit/ui/vocabulary.tsx';
import styles from './article.module.css';

export interface ContentsProps {
  headings: readonly string[];
  /** The element with the text, whose libraries may load later than this component. */
  content: RefObject<HTMLElement | null>;
}

const headingsIn = (content: HTMLElement | null) => [
  ...(content?.querySelectorAll<HTMLElement>('h2') ?? []),
];

function goTo({ content }: ContentsProps, at: number): void {
  const heading = headingsIn(content.current)[at];
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: 'start' });
}

/** A heading counts as being read from here on, in pixels from the top of the window. */
const READ_BELOW = 160;

/** The last heading that has reached the upper part of the window. */
function useHeadingRead({ content, headings }: ContentsProps): number {
  const [read, setRead] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other headings
  useEffect(() => {
    const look = () => {
      const tops = headingsIn(content.current).map((one) => one.getBoundingClientRect().top);
      setRead(Math.max(0, tops.filter((top) => top < READ_BELOW).length - 1));
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [content, headings.length]);
  return read;
}

function Entries(props: ContentsProps & { read?: number; onChosen?: () => void }) {
  const { headings, read, onChosen } = props;
  return (
    <ol>
      {headings.map((heading, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two headings may be the same
        <li key={at}>
          <button
            type="button"
            aria-current={at === read ? 'location' : undefined}
            onClick={() => {
              onChosen?.();
              goTo(props, at);
            }}
          >
            {heading}
          </button>
        </li>
      ))}
    </ol>
  );
}

export function Contents(props: ContentsProps) {
  const { t } = useTranslation('articles');
  const read = useHeadingRead(props);
  return (
    <nav className={styles.contents} aria-label={t('onThisPage')}>
      <Strong as="h2" below={8}>
        {t('onThisPage')}
      </Strong>
      <Entries {...props} read={read} />
    </nav>
  );
}

/** The table of contents in a narrow window: above the text, folded. */
export function ContentsMenu(props: ContentsProps) {
  const { t, i18n } = useTranslation('articles');
  const [isOpen, setOpen] = useState(false);
  if (props.headings.length < 2) return null;
  return (
    <details
      className={styles.contentsMenu}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary lang={i18n.language}>
        {t('onThisPage')}
        <ChevronDown size={18} />
      </summary>
      <Entries {...props} onChosen={() => setOpen(false)} />
    </details>
  );
}
