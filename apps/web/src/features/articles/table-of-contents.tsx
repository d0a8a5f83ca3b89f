import { ChevronDown } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

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
    <nav
      className="[&_button]:block [&_button]:w-full [&_button]:py-1.5 [&_button]:px-0 [&_button]:ps-4 [&_button]:[border-inline-start:2px_solid_var(--color-divider)] [&_button]:text-text-2 [&_button]:wrap-anywhere [&_button]:hover:text-text [&_button[aria-current]]:border-primary [&_button[aria-current]]:text-text [&_button[aria-current]]:font-semibold"
      aria-label={t('onThisPage')}
    >
      <h2 className="mb-2 type-strong">{t('onThisPage')}</h2>
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
      className="mt-4 border border-input-border rounded-control [&_summary]:flex [&_summary]:items-center [&_summary]:justify-between [&_summary]:min-h-11 [&_summary]:py-0 [&_summary]:px-3 [&_summary]:type-input-mobile [&_summary]:cursor-pointer [&_ol]:pt-0 [&_ol]:px-3 [&_ol]:pb-2 [&_button]:w-full [&_button]:min-h-11 above-small-tablet:hidden"
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
