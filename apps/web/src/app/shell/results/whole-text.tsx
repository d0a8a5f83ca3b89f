import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Popover } from '#kit/overlays/late-overlays.ts';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { RESULT_TEXT } from './result-frame.tsx';

/** A text of at most two lines. A click shows the part that is cut off. */
export function WholeText({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const text = useRef<HTMLSpanElement>(null);
  const [isCut, setCut] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const element = text.current;
    if (!element) return;
    const measure = () => setCut(element.scrollHeight > element.clientHeight + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (isCut) Popover.fetch();
  }, [isCut]);
  return (
    <>
      <span ref={text} className={RESULT_TEXT}>
        {children}
      </span>
      {isCut && (
        <IconButton
          size="small"
          label={t('error.details')}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={({ currentTarget }) => setAnchor(currentTarget)}
        >
          <ChevronDown size={18} />
        </IconButton>
      )}
      <Popover
        anchor={anchor}
        align="end"
        aria-label={t('error.details')}
        onClose={() => setAnchor(null)}
      >
        <p className="max-w-110 py-4 px-5 wrap-anywhere whitespace-pre-line">{children}</p>
      </Popover>
    </>
  );
}
