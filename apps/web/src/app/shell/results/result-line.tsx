import { ChevronDown, CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Popover } from '#kit/overlays/late-overlays.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { useSingleKey } from '#kit/ui/use-single-key.ts';
import { WithDays } from '#kit/ui/with-days.tsx';
import { closeResult, type Result, staysUntilClosed } from '#platform/state/results.ts';
import { RESULT_TEXT, ResultFrame } from './result-frame.tsx';

const icons = {
  success: CircleCheck,
  info: Info,
  warning: TriangleAlert,
  error: CircleAlert,
};

/** Milliseconds for which a result is shown. */
const SHOWN_MS = 8000;
const TICK_MS = 250;

/**
 * Devices on which hovering keeps a result open. After a touch some browsers report a hover, too,
 * and on a phone a result is short.
 */
const HOLDS = '(hover: hover) and (width >= 600px)';

/** True if the result must stay: the pointer or focus is on it, the page is hidden, or a dialog covers it. */
function isHeld(line: HTMLElement): boolean {
  return (
    document.hidden ||
    line.matches(':focus-within') ||
    (line.matches(':hover') && matchMedia(HOLDS).matches) ||
    line.closest('[aria-hidden="true"]') !== null
  );
}

/** The remaining part of the result's time, from 1 to 0; a tick later it is closed. Pointer and focus stop the time. */
function useTimeLeft(line: RefObject<HTMLElement | null>, result: Result): number {
  const [left, setLeft] = useState(SHOWN_MS);
  const stays = staysUntilClosed(result);
  const leave = useEffectEvent(() => closeResult(result));
  useEffect(() => {
    if (stays) return;
    let rest = SHOWN_MS;
    const timer = setInterval(() => {
      if (!line.current || (rest > 0 && isHeld(line.current))) return;
      rest -= TICK_MS;
      setLeft(rest);
      if (rest < 0) leave();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [line, stays]);
  return left / SHOWN_MS;
}

/** A result in one line. Each new result is a new component, so that its display time starts again. */
export function ResultLine({ result }: { result: Result }) {
  return <Line key={keyOf(result)} result={result} />;
}

const keys = new WeakMap<Result, number>();
let last = 0;

function keyOf(result: Result): number {
  const key = keys.get(result) ?? ++last;
  keys.set(result, key);
  return key;
}

function Line({ result }: { result: Result }) {
  const { t } = useTranslation();
  const { tone, text, detail, action, copies } = result;
  const Icon = icons[tone];
  const line = useRef<HTMLDivElement>(null);
  const left = useTimeLeft(line, result);
  const close = () => closeResult(result);
  const act = () => {
    close();
    action?.onClick();
  };
  useSingleKey('z', () => action?.key && act());
  const stays = staysUntilClosed(result);
  return (
    <ResultFrame
      ref={line}
      tone={tone}
      isLeaving={left <= 0}
      style={{ '--left': left } as CSSProperties}
    >
      <Icon size={18} />
      {copies === undefined ? (
        <WholeText>
          <WithDays>{text}</WithDays>
          {detail && <span className="font-normal">{` · ${detail}`}</span>}
        </WholeText>
      ) : (
        <SelectedText label={text}>{copies}</SelectedText>
      )}
      {action && (
        <Button size="small" onClick={act}>
          {action.label}
        </Button>
      )}
      {stays && (
        <IconButton size="small" label={t('action.dismiss')} onClick={close}>
          <X size={18} />
        </IconButton>
      )}
      {!stays && (
        <span
          className="absolute [inset:auto_0_0] h-0.5 bg-tone-fg opacity-50 [transform:scaleX(var(--left))] [transform-origin:0_0] [transition:transform_0.25s_linear] motion-reduce:hidden"
          aria-hidden="true"
        />
      )}
    </ResultFrame>
  );
}

/** A text in a field that is selected immediately, so that the browser can copy it. */
function SelectedText({ label, children }: { label: string; children: string }) {
  return (
    <textarea
      readOnly
      className="flex-1 min-w-0 h-8 py-1 px-2 border border-divider rounded-control bg-paper text-text type-body resize-none"
      aria-label={label}
      title={label}
      rows={1}
      value={children}
      ref={(area) => area?.select()}
      onFocus={({ currentTarget }) => currentTarget.select()}
    />
  );
}

/** A text of at most two lines. A click shows the part that is cut off. */
function WholeText({ children }: { children: ReactNode }) {
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
