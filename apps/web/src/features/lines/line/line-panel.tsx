import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, Maximize2, X } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { onLineFocus } from '#domain/lines/line-link.tsx';
import {
  linePageLink,
  useIsLinePage,
  useLinePlace,
  useOpenLine,
} from '#domain/lines/line-place.ts';
import { StatusBadge } from '#domain/lines/status.tsx';
import { rowsAround } from '#features/lines/queries.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useSingleKey } from '#kit/ui/use-single-key.ts';
import { isGone } from '#platform/api/client.ts';
import { useHasLinePanel } from '#platform/browser/use-is-phone.ts';
import { focusRow, lineBeside } from './line-rows.ts';
import { LineTabs } from './line-tabs.tsx';
import { LineView, useHasQuietRenew } from './line-view.tsx';
import { QuietActions } from './quiet-actions.tsx';
import { useLine } from './use-line.ts';

/** The place of the side panel: over the page, or next to it in a wide window. */
const PLACE =
  '[--panel:clamp(440px,100vw_-_760px,560px)] sticky top-(--header) z-4 flex flex-none flex-col self-start w-(--panel) h-[calc(100dvh_-_var(--header)_-_var(--banners,0px))] ms-[calc(-1_*_var(--panel))] tablet:[--panel:min(560px,100vw)] desktop:data-beside:ms-0';
const LOOK =
  'border border-divider [border-width:1px_0_0_1px] [border-start-start-radius:var(--radius-card)] bg-paper shadow-pop [outline:0] motion-reduce:animate-none animate-[slide-in_200ms]';

/** The side panel with the line in the address; a small window redirects to the page of the line. */
export function LinePanel() {
  const { openId } = useLinePlace();
  const isPage = useIsLinePage();
  const hasPanel = useHasLinePanel();
  if (!openId || isPage) return null;
  return hasPanel ? <Panel id={openId} /> : <ToPage id={openId} />;
}

function ToPage({ id }: { id: string }) {
  const { part } = useLinePlace();
  const navigate = useNavigate();
  useEffect(() => {
    void navigate({ ...linePageLink(id, part), replace: true });
  }, [id, part, navigate]);
  return null;
}

const FLOATING =
  '[role="dialog"], [role="menu"], [role="listbox"], input:not([type="checkbox"], [type="radio"]), textarea, select';

function Panel({ id }: { id: string }) {
  const { t } = useTranslation('line');
  const shown = useLine(id);
  const { line, isPending } = shown;
  const { part } = useLinePlace();
  const { open, close } = useOpenLine();
  const panel = useRef<HTMLElement>(null);
  const isBeside = useRouterState({ select: ({ location }) => location.pathname === '/users/all' });
  const leave = useCallback(async () => {
    await close();
    focusRow(id);
  }, [close, id]);
  useEscape(leave);
  useEffect(() => {
    // While its first content is fetched, the panel is hidden and would lose the focus again.
    if (!isPending) return onLineFocus(id, () => panel.current?.focus());
  }, [id, isPending]);
  useSingleKey('e', () => void open(id, { part: 'edit', replace: true }));
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className={`${PLACE} ${LOOK}`}
      data-beside={isBeside || undefined}
      data-print="none"
      aria-label={t('of', { username: line?.username ?? '' })}
    >
      <PanelHead id={id} hasList={isBeside} onClose={() => void leave()}>
        <h2>
          {line ? (
            <TypedText>{line.username}</TypedText>
          ) : (
            t(isGone(shown.error) ? 'notFound' : 'field.line')
          )}
        </h2>
        {line && <StatusBadge line={line} />}
      </PanelHead>
      {line && <LineTabs />}
      <div className="[--covered-top:0px] flex-1 min-h-0 overflow-y-auto">
        <div className="[--card-pad:0px] [--shade-card:none] pt-5 px-6 pb-6 [&_[data-narrow-first]_h2]:type-strong">
          <LineView
            shown={shown}
            isPanel
            back={<Button onClick={() => void leave()}>{t('recurring.backToLines')}</Button>}
            onLeaveEdit={() => void open(id, { replace: true })}
          />
        </div>
      </div>
      {line && part === 'overview' && <PanelFoot key={id} line={line} />}
    </aside>
  );
}

function PanelFoot({ line }: Pick<Parameters<typeof QuietActions>[0], 'line'>) {
  return (
    <div className="flex items-center gap-2 flex-none py-2 px-4 border-t border-t-divider [&_button]:px-2 [&>span>:last-child]:ms-auto">
      <QuietActions line={line} hasRenew={useHasQuietRenew(line)} />
    </div>
  );
}

/** Closes the side panel on Escape, unless the key has another effect at that moment. */
function useEscape(leave: () => Promise<void>): void {
  const close = useEffectEvent(() => void leave());
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isElsewhere = event.target instanceof HTMLElement && event.target.closest(FLOATING);
      if (event.key !== 'Escape' || isElsewhere || event.defaultPrevented) return;
      // Other effects of Escape, such as ending a selection, must not follow from the same key press.
      event.preventDefault();
      close();
    };
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
}

interface PanelHeadProps {
  id: string;
  /** True beside the list of lines, whose next and previous lines can be opened. */
  hasList: boolean;
  onClose: () => void;
  children: React.ReactNode;
}

function PanelHead({ id, hasList, onClose, children }: PanelHeadProps) {
  const { t } = useTranslation('line');
  const { open } = useOpenLine();
  const { part } = useLinePlace();
  const queryClient = useQueryClient();
  const go = (step: 1 | -1) => {
    const next = lineBeside(rowsAround(queryClient, id), id, step);
    if (next) void open(next, { part, replace: true });
  };
  return (
    <div className="flex items-center gap-3 flex-none pt-4 pr-3 pb-2 pl-6 [&_h2]:overflow-hidden [&_h2]:type-[700_20px/28px_var(--font)] [&_h2]:text-ellipsis">
      <div className="flex items-center gap-3 min-w-0">{children}</div>
      <div className="flex items-center gap-1 ms-auto">
        {hasList && (
          <>
            <IconButton size="small" label={t('panel.previous')} onClick={() => go(-1)}>
              <ChevronUp size={20} />
            </IconButton>
            <IconButton size="small" label={t('panel.next')} onClick={() => go(1)}>
              <ChevronDown size={20} />
            </IconButton>
          </>
        )}
        <Link
          {...linePageLink(id, part)}
          className="grid place-items-center w-(--press-small) h-(--press-small) rounded-[50%] text-icon hover:bg-hover"
          aria-label={t('panel.open')}
          title={t('panel.open')}
        >
          <Maximize2 size={18} />
        </Link>
        <IconButton size="small" label={t('panel.close')} onClick={onClose}>
          <X size={20} />
        </IconButton>
      </div>
    </div>
  );
}
