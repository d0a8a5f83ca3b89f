import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useTranslation } from 'react-i18next';
import { ArticleLink } from '../../../shared/ui/article-link.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';
import { Stack } from '../../../shared/ui/vocabulary.tsx';
import { ServerAgent } from '../awaited/server-agent.tsx';
import { KeptByHandBanner } from '../compare/kept-by-hand.tsx';
import { LostAccountsBanner } from '../compare/lost-accounts.tsx';
import { ServerFrame } from '../frame/server-frame.tsx';
import { AgentBanners } from '../not-taken.tsx';
import { TooManyLines } from '../reach/too-many-lines.tsx';
import { useServerProblem } from '../use-server-problem.ts';
import { CustomersCard } from './customers-card.tsx';
import { FactsCard } from './facts-card.tsx';
import { Figures } from './figures.tsx';
import { SellersCard } from './sellers-card.tsx';
import styles from './server.module.css';
import { WayCard } from './way-card.tsx';

/** A server's page, on its first tab. */
export function ServerPage() {
  return (
    <ServerFrame tab="overview">
      {(server) => (
        <>
          <ServerAgent server={server} />
          {!server.awaited_id && <Problem server={server} />}
          <LostAccountsBanner server={server} />
          <KeptByHandBanner server={server} />
          <AgentBanners server={server} />
          {server.kind === 'oscam_webif' && <TooManyLines count={server.line_count} />}
          <Stack gap={24} phoneGap={12}>
            <Figures server={server} />
            <div className={styles.cards}>
              <WayCard server={server} />
              <CustomersCard server={server} />
              <FactsCard server={server} />
              <SellersCard server={server} />
            </div>
          </Stack>
        </>
      )}
    </ServerFrame>
  );
}

function Problem({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const serverProblem = useServerProblem();
  const { status, status_finding } = server;
  if (status === 'active') return null;
  const { problem, advice } = serverProblem(status_finding, server);
  return (
    <Stack below={16}>
      {status === 'error' ? (
        <Banner tone="error" title={problem}>
          {advice && <p>{advice}</p>}
          <p>
            <ArticleLink title={t('article')} />
          </p>
        </Banner>
      ) : (
        <Banner tone="info" title={t('page.state.inactive')}>
          {status_finding && <p>{[problem, advice].filter(Boolean).join(' ')}</p>}
        </Banner>
      )}
    </Stack>
  );
}
