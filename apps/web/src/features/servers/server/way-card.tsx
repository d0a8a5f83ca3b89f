import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { Globe, LayoutDashboard, ServerIcon, Terminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { cardServerOf } from '#features/servers/use-presence-texts.ts';
import { useReloadText, useShortMoment } from '#features/servers/use-reload-text.ts';
import { Card } from '#kit/ui/card.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';

/** The card that shows how far changes have got: from the panel to the agent, and from there to the card server. */
export function WayCard({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const shortMoment = useShortMoment();
  const { status, line_count, pushes_due, last_connection, kind } = server;
  const isWebif = kind === 'oscam_webif';
  const takes = useReloadText()(server);
  const answers = status === 'active';
  const agentText = () => {
    if (status === 'inactive' || !last_connection) return t('card.notTested');
    if (!answers) return t('serverCard.state.error');
    if (pushes_due > 0) return t('compare.queued', { count: pushes_due });
    return t('page.way.agentHas', { time: shortMoment(last_connection) });
  };
  const agentTone = answers ? (pushes_due > 0 ? 'warning' : 'success') : 'neutral';
  return (
    <Card title={t('page.way.title')}>
      <ol className="grid grid-cols-3 gap-4 phone:grid-cols-1 [&>[data-tone=success]+[data-tone=success]]:before:bg-success-fg">
        <Step icon={<LayoutDashboard size={20} />} tone="success" name={t('field.panel')}>
          {t('page.way.lines', { count: line_count })}
        </Step>
        <Step
          icon={isWebif ? <Globe size={20} /> : <Terminal size={20} />}
          tone={status === 'error' ? 'error' : agentTone}
          name={t(isWebif ? 'kind.oscam_webif.title' : 'page.way.agent')}
        >
          {agentText()}
        </Step>
        <Step
          icon={<ServerIcon size={20} />}
          tone={answers ? takes.tone : 'neutral'}
          name={cardServerOf(server).program ?? t('page.facts.program')}
        >
          {takes.text}
        </Step>
      </ol>
    </Card>
  );
}

interface StepProps {
  icon: ReactNode;
  tone: 'success' | 'warning' | 'error' | 'neutral';
  name: string;
  children: string;
}

/** The look of the line between two steps. */
const WAY =
  'before:absolute before:[inset-inline:calc(-100%_+_36px)_calc(100%_+_4px)] before:top-[19px] before:h-0.5 before:bg-divider-strong first:before:hidden';
const WAY_ON_PHONE =
  'phone:before:[inset:-14px_auto_auto_19px] phone:before:w-0.5 phone:before:h-3';

function Step({ icon, tone, name, children }: StepProps) {
  return (
    <li
      className={`relative flex flex-col gap-3 wrap-anywhere phone:flex-row ${WAY} ${WAY_ON_PHONE}`}
      data-tone={tone}
    >
      <IconTile tone={tone}>{icon}</IconTile>
      <div>
        <b className="type-strong">
          <TypedText>{name}</TypedText>
        </b>
        <p className="mt-0.5 text-text-2 type-caption">{children}</p>
      </div>
    </li>
  );
}
