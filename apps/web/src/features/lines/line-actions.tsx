import type { Line } from '@linekeeper/contract/lines.ts';
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { LineAction } from './line-action.ts';

const LineMenu = lazy(async () => ({ default: (await import('./line-menu.tsx')).LineMenu }));
const RenewPopover = lazy(async () => ({
  default: (await import('./renew-popover.tsx')).RenewPopover,
}));
const CredentialsDialog = lazy(async () => ({
  default: (await import('./credentials-dialog.tsx')).CredentialsDialog,
}));
const MoveLineDialog = lazy(async () => ({
  default: (await import('./move-line-dialog.tsx')).MoveLineDialog,
}));
const DeleteLineDialog = lazy(async () => ({
  default: (await import('./delete-line-dialog.tsx')).DeleteLineDialog,
}));

interface Opened {
  action: LineAction;
  line: Line;
  /** The button of the row: what opens stands beside it, and the focus goes back there. */
  anchor: HTMLElement;
}

interface LineActions {
  opened: Opened | null;
  open: (opened: Opened) => void;
}

const LineActionsContext = createContext<LineActions | null>(null);

export function useLineActions(): LineActions {
  const actions = useContext(LineActionsContext);
  if (!actions) throw new Error('useLineActions was called outside the list');
  return actions;
}

/** Where the focus goes when the button it would return to is gone. */
export const LINES_LIST_ID = 'lines-list';

export function focusList(): void {
  document.getElementById(LINES_LIST_ID)?.focus({ preventScroll: true });
}

/** The same button of the next row, or of the one before the last. */
function neighbourOf(button: HTMLElement): HTMLElement | null {
  const row = button.closest('tr, li');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  return next?.querySelector<HTMLElement>('button[aria-haspopup="menu"]') ?? null;
}

/** One menu, popover and dialog for all rows: a hundred of each would be drawn for nothing. */
export function LineActionsProvider({
  lines,
  children,
}: {
  lines: Line[] | undefined;
  children: ReactNode;
}) {
  const [opened, open] = useState<Opened | null>(null);
  const back = useRef<HTMLElement | null>(null);
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
  // As it is now: somebody else may have renewed it since.
  const line = opened && (lines?.find(({ id }) => id === opened.line.id) ?? opened.line);
  const close = () => open(null);
  return (
    <LineActionsContext value={{ opened, open }}>
      {children}
      <Suspense>
        {opened && line && (
          <OpenedAction
            {...opened}
            line={line}
            onClose={close}
            onChoose={(action) => open({ ...opened, action })}
            onDeleted={() => {
              // Its own row is about to go.
              back.current = neighbourOf(opened.anchor) ?? document.getElementById(LINES_LIST_ID);
              close();
            }}
          />
        )}
      </Suspense>
    </LineActionsContext>
  );
}

interface OpenedActionProps extends Opened {
  onClose: () => void;
  onChoose: (action: LineAction) => void;
  onDeleted: () => void;
}

function OpenedAction({ action, line, anchor, onClose, onChoose, onDeleted }: OpenedActionProps) {
  switch (action) {
    case 'menu':
      return <LineMenu line={line} anchor={anchor} onClose={onClose} onChoose={onChoose} />;
    case 'renew':
      return <RenewPopover line={line} anchor={anchor} onClose={onClose} />;
    case 'credentials':
      return <CredentialsDialog line={line} onClose={onClose} />;
    case 'move':
      return <MoveLineDialog line={line} onClose={onClose} />;
    case 'delete':
      return <DeleteLineDialog line={line} onClose={onClose} onDeleted={onDeleted} />;
  }
}
