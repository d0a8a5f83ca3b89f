import type { Line } from '@linekeeper/contract/lines/lines.ts';
import {
  ArrowLeftRight,
  CalendarPlus,
  CirclePause,
  CirclePlay,
  ClipboardCopy,
  Copy,
  KeyRound,
  Layers,
  type LucideIcon,
  Pencil,
  PencilLine,
  RefreshCw,
  Trash2,
  Undo2,
} from 'lucide-react';
import { createContext, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlansOnSale } from '#domain/prices/plans.ts';
import { Button, type ButtonLook } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { useCopyText } from '#kit/ui/buttons/use-copy-text.tsx';
import { useMe } from '#platform/data/session.ts';
import { results } from '#platform/state/results.ts';
import { useGetCredentials } from './credentials.tsx';
import { useRevealLine } from './queries.ts';
import { isNameTaken } from './state.ts';
import { syncProblem } from './sync.tsx';
import { useRetrySync } from './use-retry-sync.ts';

/** The menu, popover or dialog to open for a line. */
type Opening =
  | 'menu'
  | 'renew'
  | 'rename'
  | 'move'
  | 'change_plan'
  | 'suspend'
  | 'resume'
  | 'undo'
  | 'delete';

export interface OpenedLine {
  action: Opening;
  line: Line;
  /** The element below which the popover opens, and which gets the focus back. */
  anchor: HTMLElement;
}

/** Lines to renew together, after a preview, and the term that is chosen first. */
export interface ManyRenewed {
  ids: string[];
  months: number;
}

interface LineDialogs {
  opened: OpenedLine | null;
  open: (opened: OpenedLine) => void;
  renewMany: (lines: ManyRenewed) => void;
  /** Prefetches the code of a menu or popover, for example when the pointer enters its button. */
  fetch: Record<'menu' | 'renew', () => void>;
}

/**
 * Opens menus and dialogs for lines; provided by the list for its rows and by the app elsewhere.
 */
export const LineDialogsContext = createContext<LineDialogs | null>(null);

export function useLineDialogs(): LineDialogs {
  const dialogs = useContext(LineDialogsContext);
  if (!dialogs) throw new Error('useLineDialogs was called outside of LineDialogs');
  return dialogs;
}

interface Declared {
  icon: LucideIcon;
  isAdminOnly?: boolean;
  isDangerous?: boolean;
}

const declared = {
  renew: { icon: CalendarPlus },
  edit: { icon: Pencil },
  copyCredentials: { icon: ClipboardCopy },
  copyUsername: { icon: Copy },
  copyPassword: { icon: KeyRound },
  sync: { icon: RefreshCw },
  rename: { icon: PencilLine },
  undo: { icon: Undo2 },
  move: { icon: ArrowLeftRight, isAdminOnly: true },
  change_plan: { icon: Layers },
  suspend: { icon: CirclePause },
  resume: { icon: CirclePlay },
  delete: { icon: Trash2, isDangerous: true },
} as const satisfies Record<string, Declared>;

export type LineActionName = keyof typeof declared;

export interface LineAction<Name extends LineActionName = LineActionName> {
  name: Name;
  text: string;
  icon: LucideIcon;
  isDangerous: boolean;
}

/**
 * False for an action that is already done, that only helps if a line's name is refused, or that an
 * account above has reserved.
 */
function isOpen(line: Line, name: LineActionName): boolean {
  const { suspension } = line;
  if (name === 'rename' || name === 'undo') return isNameTaken(line);
  if (name === 'suspend') return suspension === null;
  return name !== 'resume' || suspension?.can_resume === true;
}

/** True if there is a plan on sale that the line does not have. */
export function useHasOtherPlan({ plan_id }: Line): boolean {
  return usePlansOnSale().some(({ id }) => id !== plan_id);
}

/** The requested actions in the given order, without those that the account has no permission for. */
export function useLineActions<Name extends LineActionName>(
  line: Line,
  names: readonly Name[],
): LineAction<Name>[] {
  const { t } = useTranslation();
  const { is_admin } = useMe();
  const hasOtherPlan = useHasOtherPlan(line);
  return names.flatMap((name) => {
    const action: Declared = declared[name];
    if ((action.isAdminOnly && !is_admin) || !isOpen(line, name)) return [];
    if (name === 'change_plan' && !hasOtherPlan) return [];
    const isRetry = name === 'sync' && syncProblem(line) !== null;
    return {
      name,
      icon: action.icon,
      text: t(isRetry ? 'line.sync.retry' : `action.${name as LineActionName}`),
      isDangerous: action.isDangerous === true,
    };
  });
}

/**
 * Actions on a line that need no dialog. Their results are shown in the header, because the button may no longer exist.
 */
export function useLineEffects(line: Line) {
  const { t } = useTranslation();
  const copyText = useCopyText();
  const getCredentials = useGetCredentials();
  const reveal = useRevealLine();
  const { retry } = useRetrySync(line);
  const { id, username } = line;
  const copy = async (getText: () => string | Promise<string>, done: string) => {
    if (await copyText(getText)) results.success(done);
  };
  const password = async () => (await reveal.mutateAsync(id)).password;
  return {
    copyUsername: () => copy(() => username, t('line.copied.username', { username })),
    copyPassword: () => copy(password, t('line.copied.password', { username })),
    copyCredentials: () =>
      copy(() => getCredentials(line, password), t('line.copied.credentials', { username })),
    sync: retry,
  };
}

function useOpener(line: Line, action: 'menu' | 'renew') {
  const { opened, open, fetch } = useLineDialogs();
  return {
    onPointerEnter: fetch[action],
    onFocus: fetch[action],
    'aria-expanded': opened?.line.id === line.id && opened.action === action,
    onClick: ({ currentTarget }: { currentTarget: HTMLElement }) =>
      open({ action, line, anchor: currentTarget }),
  };
}

/** Props of a button that opens a dialog for a line. */
export function useLineOpener(line: Line, action: Opening) {
  const { open } = useLineDialogs();
  return {
    'aria-haspopup': 'dialog',
    onClick: ({ currentTarget }: { currentTarget: HTMLElement }) =>
      open({ action, line, anchor: currentTarget }),
  } as const;
}

interface OpenButtonProps extends ButtonLook {
  line: Line;
  action: Opening;
  'aria-label'?: string;
  children: ReactNode;
}

/** A button with text that opens a dialog for a line. */
export function OpenButton({ line, action, ...button }: OpenButtonProps) {
  return <Button {...button} {...useLineOpener(line, action)} />;
}

export function RenewButton({ line, ...look }: { line: Line } & ButtonLook) {
  const { t } = useTranslation();
  return (
    <Button
      {...look}
      aria-label={t('line.renewOf', { username: line.username })}
      aria-haspopup="dialog"
      {...useOpener(line, 'renew')}
    >
      {t('action.renew')}
    </Button>
  );
}

export function MoreButton({ line, size }: { line: Line; size: 'tiny' | 'medium' }) {
  const { t } = useTranslation();
  return (
    <IconButton
      size={size}
      label={t('moreOf', { name: line.username })}
      aria-haspopup="menu"
      icon="ellipsis-vertical"
      {...useOpener(line, 'menu')}
    />
  );
}
