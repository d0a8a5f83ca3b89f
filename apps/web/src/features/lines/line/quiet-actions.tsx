import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { ArrowLeftRight, CalendarPlus, CirclePause, CirclePlay, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type OpenedLine, useLineDialogs } from '#domain/lines/actions.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { useMe } from '#platform/data/session.ts';

interface QuietActionsProps {
  line: Line;
  /** True if renewing is not the main action of the page. */
  hasRenew?: boolean;
}

/** Actions that a line needs only now and then, such as suspending or deleting it. */
export function QuietActions({ line, hasRenew = false }: QuietActionsProps) {
  const { t } = useTranslation('line');
  const { is_admin } = useMe();
  const { suspension } = line;
  return (
    <span className="contents [&>[data-tone=primary]]:text-neutral-fg">
      {hasRenew && (
        <Act line={line} action="renew" icon={<CalendarPlus />}>
          {t('action.renew')}
        </Act>
      )}
      {!suspension && (
        <Act line={line} action="suspend" icon={<CirclePause />}>
          {t('action.suspend')}
        </Act>
      )}
      {suspension?.can_resume && (
        <Act line={line} action="resume" icon={<CirclePlay />}>
          {t('action.resume')}
        </Act>
      )}
      {is_admin && (
        <Act line={line} action="move" icon={<ArrowLeftRight />}>
          {t('action.move')}
        </Act>
      )}
      {!is_admin && (
        <ButtonLink
          variant="text"
          to="/tickets/new"
          search={{ title: t('act.askTitle', { username: line.username }), about: line.id }}
        >
          <ArrowLeftRight size={20} aria-hidden="true" />
          {t('todo.ask')}
        </ButtonLink>
      )}
      <Act line={line} action="delete" icon={<Trash2 />} tone="danger">
        {t('action.delete')}
      </Act>
    </span>
  );
}

interface ActProps {
  line: Line;
  action: OpenedLine['action'];
  icon: ReactNode;
  tone?: 'danger';
  children: string;
}

function Act({ line, action, icon, tone, children }: ActProps) {
  const { open } = useLineDialogs();
  return (
    <Button
      variant="text"
      {...(tone ? { tone } : {})}
      icon={icon}
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => open({ action, line, anchor: currentTarget })}
    >
      {children}
    </Button>
  );
}
