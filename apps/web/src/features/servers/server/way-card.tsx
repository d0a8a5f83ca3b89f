import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { Globe, LayoutDashboard, ServerIcon, Terminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFindingText } from '../../../shared/i18n/use-finding-text.ts';
import {
  isNotTaken,
  useNotTakenTexts,
  useShortMoment,
} from '../../../shared/not-taken/use-not-taken-texts.ts';
import { Card, CardSummary } from '../../../shared/ui/card.tsx';
import { IconTile } from '../../../shared/ui/icon-tile.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { Caption, Strong } from '../../../shared/ui/vocabulary.tsx';
import { cardServerOf } from '../use-presence-texts.ts';
import { useTakesText } from '../use-takes-text.ts';
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
  const findingText = useFindingText();
  const notTaken = useNotTakenTexts();
  return (server: Server): string => {
    const { status, status_finding, accounts_missing, kept_by_hand, pushes_due, reload } = server;
    if (status === 'inactive') return t('page.state.inactive');
    if (status === 'error') {
      return status_finding ? findingText(status_finding) : t('problem.unknown');
    }
    if (accounts_missing > 0) return t('lost.title', { count: accounts_missing });
    if (kept_by_hand > 0) return t('takeOver.title', { count: kept_by_hand });
    if (reload && isNotTaken(server)) return notTaken(reload).title;
    if (pushes_due > 0) return t('compare.queued', { count: pushes_due });
    return t('page.state.arrived');
  };
}
