import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQueryClient } from '@tanstack/react-query';
import {
  type ComponentType,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { LineDialogsContext, type ManyRenewed, type OpenedLine } from '#domain/lines/actions.tsx';
import { useLeaveLine } from '#domain/lines/line-place.ts';
import { pricesQuery } from '#domain/prices/prices.ts';
import { prefetchOnceUsed } from '#platform/start/later.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { focusList, LINES_LIST_ID } from './focus-list.ts';

// These dialogs also open on other screens, so they load their own texts.
const texts = 'lines';
const acts = () => import('./edit/line-acts.tsx');

/** The menu, the popover and the dialogs of a line. */
const parts: Record<OpenedLine['action'], ComponentType<OpenedProps> & { fetch: () => void }> = {
  menu: lazyPart(() => import('./line-menu.tsx'), 'LineMenu'),
  renew: lazyPart(() => import('./renew/renew-popover.tsx'), 'RenewPopover', { texts }),
  rename: lazyPart(acts, 'RenameLineDialog', { texts }),
  move: lazyPart(() => import('./edit/move-line-dialog.tsx'), 'MoveLineDialog', { texts }),
  change_plan: lazyPart(() => import('./edit/change-plan-dialog.tsx'), 'ChangePlanDialog', {
    texts,
  }),
  suspend: lazyPart(acts, 'SuspendLineDialog', { texts }),
  resume: lazyPart(acts, 'ResumeLineDialog', { texts }),
  undo: lazyPart(acts, 'UndoLineDialog', { texts }),
  delete: lazyPart(acts, 'DeleteLineDialog', { texts }),
};

interface OpenedProps {
  line: Line;
  anchor: HTMLElement;
  onClose: () => void;
  /** Opens another menu, popover or dialog of the line instead of this one. */
  onChoose: (action: OpenedLine['action']) => void;
  onDeleted: () => void;
}

const BulkDialog = lazyPart(() => import('./bulk/bulk-dialog.tsx'), 'BulkDialog', {
  texts: [texts, 'bulk'],
});

const fetch = { menu: parts.menu.fetch, renew: parts.renew.fetch };

/**
 * The element that gets the focus when a row disappears: the menu button of the next row, or of the
 * previous one after the last row.
 */
function neighbourOf(button: HTMLElement): HTMLElement | null {
  const row = button.closest('tr, li');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  return next?.querySelector<HTMLElement>('button[aria-haspopup="menu"]') ?? null;
}

interface LineDialogsProps {
  /** Current rows of the list, because another session may change a line while its dialog is open. */
  lines?: Line[] | undefined;
  children: ReactNode;
}

/**
 * The menu, the popover and the dialogs for a line, which all rows share, because separate ones for
 * each row would be slow.
 */
export function LineDialogs({ lines, children }: LineDialogsProps) {
  const [opened, open] = useState<OpenedLine | null>(null);
  const [many, renewMany] = useState<ManyRenewed | null>(null);
  const back = useRef<HTMLElement | null>(null);
  const isList = useContext(LineDialogsContext) !== null;
  const queryClient = useQueryClient();
  // The code of menu and dialogs is prefetched only in a list, because it is rarely needed elsewhere.
  useEffect(() => {
    if (!isList) return;
    const fetchPrices = () => void queryClient.prefetchQuery(pricesQuery());
    return prefetchOnceUsed([...Object.values(fetch), fetchPrices]);
  }, [isList, queryClient]);
  useEffect(() => {
    if (opened) {
      back.current = opened.anchor;
      return;
    }
    if (!back.current) return;
    if (back.current.isConnected) back.current.focus({ preventScroll: true });
    else focusList();
    back.current = null;
  }, [opened]);
  const line = opened && (lines?.find(({ id }) => id === opened.line.id) ?? opened.line);
  const leaveLine = useLeaveLine();
  const close = () => open(null);
  const Opened = opened && parts[opened.action];
  // The value is memoized, because the buttons of every row read it.
  const dialogs = useMemo(() => ({ opened, open, renewMany, fetch }), [opened]);
  return (
    <LineDialogsContext value={dialogs}>
      {children}
      {many && (
        <BulkDialog
          action="renew"
          lines={{ ids: many.ids }}
          count={many.ids.length}
          months={many.months}
          onOrdered={() => renewMany(null)}
          onClose={() => renewMany(null)}
        />
      )}
      {opened && Opened && line && (
        <Opened
          anchor={opened.anchor}
          line={line}
          onClose={close}
          onChoose={(action) => open({ ...opened, action })}
          onDeleted={() => {
            void leaveLine(line.id);
            // The row of the deleted line is about to disappear, so the next row gets the focus.
            back.current = neighbourOf(opened.anchor) ?? document.getElementById(LINES_LIST_ID);
            close();
          }}
        />
      )}
    </LineDialogsContext>
  );
}
