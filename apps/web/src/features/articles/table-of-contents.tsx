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

/** Pixels from the top of the window; a heading above this counts as being read. */
const READ_BELOW = 160;

/** The index of the last heading that has reached the upper part of the window. */
function useHeadingRead({ content, headings }: ContentsProps): number {
  const [read, setRead] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `headings.length` changes with the text, and its headings have other places
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

interface EntriesProps extends ContentsProps {
  /** The classes of a heading's button. */
  look: string;
  read?: number;
  onChosen?: () => void;
}

function Entries(props: EntriesProps) {
  const { headings, look, read, onChosen } = props;
  return (
    <ol>
      {headings.map((heading, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two headings may be the same
        <li key={at}>
          <button
            type="button"
            className={look}
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

/** The look of a heading beside the text, along a line on which the current one is marked. */
const BESIDE =
  'block w-full py-1.5 ps-4 [border-inline-start:2px_solid_var(--color-divider)] text-text-2 wrap-anywhere hover:text-text [&[aria-current]]:border-primary [&[aria-current]]:text-text [&[aria-current]]:font-semibold';

export function Contents(props: ContentsProps) {
  const { t } = useTranslation('articles');
  const read = useHeadingRead(props);
  return (
    <nav aria-label={t('onThisPage')}>
      <h2 className="mb-2 type-strong">{t('onThisPage')}</h2>
      <Entries {...props} read={read} look={BESIDE} />
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
      className="mt-4 border border-input-border rounded-control above-small-tablet:hidden"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary
        className="flex items-center justify-between min-h-11 py-0 px-3 type-input-mobile cursor-pointer"
        lang={i18n.language}
      >
        {t('onThisPage')}
        <ChevronDown size={18} />
      </summary>
      <div className="px-3 pb-2">
        <Entries {...props} look="w-full min-h-11" onChosen={() => setOpen(false)} />
      </div>
    </details>
  );
}
