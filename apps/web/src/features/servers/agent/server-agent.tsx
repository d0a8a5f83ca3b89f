import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useSearch } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { AgentCard } from './agent-card.tsx';
import { useNewInstallation, useStoredInstallation } from './use-agent-installation.ts';

/** The card about a server's agent on the server's page, shown as long as the agent needs something. */
export function ServerAgent({ server }: { server: Server }) {
  const { agent } = useSearch({ from: '/shell/cccam-servers/$id' });
  const { id, awaited_id, agent_outdated } = server;
  // The card stays after the agent was reached, to report that.
  if (agent) return <AgentAgain key={id} server={server} />;
  if (awaited_id) return <AwaitedAgent id={awaited_id} />;
  return agent_outdated ? <Outdated server={server} /> : null;
}

function AwaitedAgent({ id }: { id: string }) {
  return (
    <div className="mb-6">
      <AgentCard installation={useStoredInstallation(id)} />
    </div>
  );
}

/** The command for a server that was reached before: only the password between panel and agent changes. */
function AgentAgain({ server: { id, server_name: name } }: { server: Server }) {
  const { t } = useTranslation('servers');
  return (
    <div className="mb-6">
      <AgentCard
        installation={useNewInstallation(id)}
        title={t('awaited.again')}
        explained={t('awaited.againText', { name })}
        action={
          <ButtonLink
            to="/cccam-servers/$id"
            params={{ id }}
            size="small"
            variant="text"
            icon={<X aria-hidden="true" />}
          >
            {t('action.close')}
          </ButtonLink>
        }
      />
    </div>
  );
}

function Outdated({ server: { id, agent_version: version } }: { server: Server }) {
  const { t } = useTranslation('servers');
  return (
    <div className="mb-4">
      <Banner
        tone="info"
        title={t('awaited.update', { version })}
        action={
          <ButtonLink
            to="/cccam-servers/$id"
            params={{ id }}
            search={{ agent: 'again' }}
            size="small"
          >
            {t('awaited.again')}
          </ButtonLink>
        }
      />
    </div>
  );
}
