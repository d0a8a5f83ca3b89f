import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { Command } from 'cmdk';
import { List } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  type LineAction,
  type LineActionName,
  useLineActions,
  useLineDialogs,
  useLineEffects,
} from '#domain/lines/actions.tsx';
import { useOpenLine } from '#domain/lines/line-place.ts';
import { syncProblem } from '#domain/lines/sync.tsx';

const offered = [
  'renew',
  'copyCredentials',
  'sync',
  'edit',
  'change_plan',
  'suspend',
  'resume',
  'copyUsername',
  'copyPassword',
] as const satisfies readonly LineActionName[];

interface LineActionsProps {
  line: Line;
  /** The element below which popovers open. */
  anchor: HTMLElement | null;
  onOpen: (line: Line) => void;
  onClose: (afterwards?: () => void) => void;
}

/** The look of a row of the palette. */
export const ITEM =
  'flex items-center gap-3 min-h-11 py-0 px-3 rounded-control cursor-pointer phone:min-h-12 [&>svg]:text-icon hover:bg-hover data-[selected=true]:bg-primary-soft';

/** The actions on the selected line that need no other page. */
export function LineActions({ line, anchor, onOpen, onClose }: LineActionsProps) {
  const { t } = useTranslation('palette');
  const isSynced = line.sync_state === 'synced' && !syncProblem(line);
  // A line that is already synced needs no other delivery.
  const names = offered.filter((name) => name !== 'sync' || !isSynced);
  const actions = useLineActions(line, names);
  const run = useRun(line, anchor, onClose);
  return (
    <Command.Group heading={t('actionsFor', { username: line.username })}>
      {actions.map((action) => {
        const { name, text, icon: Icon } = action;
        return (
          <Command.Item
            key={name}
            className={ITEM}
            value={`action:${name}`}
            onSelect={() => run(action)}
          >
            <Icon size={20} />
            <span className="flex-1 min-w-0 truncate">{text}</span>
          </Command.Item>
        );
      })}
      <Command.Item className={ITEM} value="action:open" onSelect={() => onOpen(line)}>
        <List size={20} />
        <span className="flex-1 min-w-0 truncate">{t('actions.open')}</span>
      </Command.Item>
    </Command.Group>
  );
}

function useRun(line: Line, anchor: HTMLElement | null, onClose: LineActionsProps['onClose']) {
  const { open: openLine } = useOpenLine();
  const { open } = useLineDialogs();
  const effects = useLineEffects(line);
  return async ({ name }: LineAction) => {
    switch (name) {
      case 'renew':
      case 'change_plan':
      case 'suspend':
      case 'resume':
        // The popover opens after the palette has closed, because closing moves the focus back.
        return onClose(() => anchor && open({ action: name, line, anchor }));
      case 'edit':
        onClose();
        return openLine(line.id, { part: 'edit' });
      case 'sync':
        onClose();
        return effects.sync();
      case 'copyCredentials':
      case 'copyUsername':
      case 'copyPassword':
        // Copying needs the focus, which stays inside the palette until it closes.
        await effects[name]();
        return onClose();
    }
  };
}
