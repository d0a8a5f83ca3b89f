import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { Globe, LayoutDashboard, ServerIcon, Terminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { troubleOf } from '#domain/servers/trouble.ts';
import { useTroubleTexts } from '#features/servers/trouble/trouble-texts.ts';
import { cardServerOf } from '#features/servers/use-presence-texts.ts';
import { useShortMoment, useTakesText } from '#features/servers/use-takes-text.ts';
import { Card, CardSummary } from '#kit/ui/card.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Caption, Strong } from '#kit/ui/vocabulary.tsx';
import styles from './server.module.css';

/** How far a change gets: from the panel to the agent, and from there to the card server. */
export function WayCard({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const shortMoment = useShortMoment();
  const { status, line_count, pushes_due, last_connection, kind } = server;
  const isWebif = kind === 'oscam_webif';
  const takes = useTakesText()(server);
  const answers = status === 'active';
  const agentText = () => {
    if (status === 'inactive' || !last_connection) return t('page.way.agentUntested');
    if (!answers) return t('page.way.agentAway');
    if (pushes_due > 0) return t('compare.queued', { count: pushes_due });
    return t('page.way.agentHas', { time: shortMoment(last_connection) });
  };
  const agentTone = answers ? (pushes_due > 0 ? 'warning' : 'success') : 'neutral';
  return (
    <Card
      title={
        <>
          {t('page.way.title')}
          <CardSummary>{useStateText()(server)}</CardSummary>
        </>
      }
    >
      <ol className={styles.way}>
        <Step icon={<LayoutDashboard size={20} />} tone="success" name={t('page.way.panel')}>
          {t('page.way.lines', { count: line_count })}
        </Step>
        <Step
          icon={isWebif ? <Globe size={20} /> : <Terminal size={20} />}
          tone={status === 'error' ? 'error' : agentTone}
          name={t(isWebif ? 'reach.oscam_webif.title' : 'page.way.agent')}
        >
          {agentText()}
        </Step>
        <Step
          icon={<ServerIcon size={20} />}
          tone={answers ? takes.tone : 'neutral'}
          name={cardServerOf(server).program ?? t('page.way.cardServer')}
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

function Step({ icon, tone, name, children }: StepProps) {
  return (
    <li data-tone={tone}>
      <IconTile tone={tone}>{icon}</IconTile>
      <div>
        <Strong>
          <TypedText>{name}</TypedText>
        </Strong>
        <Caption as="p" above={2}>
          {children}
        </Caption>
      </div>
    </li>
  );
}

/** The state of a server in one sentence: the first thing that is not as it should be. */
function useStateText() {
  const { t } = useTranslation('servers');
  const texts = useTroubleTexts();
  return (server: Server): string => {
    const trouble = troubleOf(server);
    // Where nobody tells the card server, nothing waits yet.
    if (trouble && trouble.cause !== 'nobodyTells') return texts(server, trouble).title;
    if (server.pushes_due > 0) return t('compare.queued', { count: server.pushes_due });
    return t('page.state.arrived');
  };
}
