import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { lineUsage } from '@linekeeper/contract/lines/usage.ts';
import { useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLineActions } from '#domain/lines/actions.tsx';
import { useEndSessions } from '#domain/lines/use-end-sessions.ts';
import { MenuDivider } from '#kit/overlays/menu.tsx';
import { MoreItem, MoreList } from '#kit/overlays/more-list.tsx';
import { callQuery } from '#platform/api/call-query.ts';

/** Actions that have no button in the row, and can be offered without a request about the line. */
const names = ['rename', 'undo', 'move', 'change_plan', 'suspend', 'resume', 'delete'] as const;
type Asking = (typeof names)[number];

interface LineMenuProps {
  line: Line;
  anchor: HTMLElement;
  onClose: () => void;
  onChoose: (action: Asking) => void;
}

export function LineMenu({ line, anchor, onClose, onChoose }: LineMenuProps) {
  const { t } = useTranslation();
  const endSessions = useEndItem(line, onClose);
  const actions = useLineActions(line, names);
  return (
    <MoreList
      anchor={anchor}
      label={t('moreOf', { name: line.username })}
      onClose={onClose}
      disableRestoreFocus
    >
      {endSessions}
      {actions.flatMap(({ name, text, icon, isDangerous }) => [
        isDangerous && <MenuDivider key={`before-${name}`} />,
        <MoreItem
          key={name}
          icon={icon}
          text={text}
          isDangerous={isDangerous ?? false}
          onClick={() => onChoose(name)}
        />,
      ])}
    </MoreList>
  );
}

/** Ends the sessions of a line that is online, where its server can. */
function useEndItem(line: Line, onClose: () => void) {
  const { t } = useTranslation();
  const isOnline = line.presence.state === 'online';
  const { data } = useQuery({
    ...callQuery('lines', lineUsage, { params: { id: line.id }, query: { days: 1 } }),
    enabled: isOnline,
  });
  const { send } = useEndSessions(line);
  if (!isOnline || data?.can_end_sessions === false) return null;
  return (
    <MoreItem
      icon={LogOut}
      text={t('presence.endSessions')}
      isDangerous={false}
      disabled={!data}
      onClick={() => {
        void send();
        onClose();
      }}
    />
  );
}
