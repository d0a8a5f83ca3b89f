import { ServerAgent } from '#features/servers/agent/server-agent.tsx';
import { ServerFrame } from '#features/servers/server-frame.tsx';
import { Troubles } from '#features/servers/trouble/troubles.tsx';
import { TooManyLines } from '#features/servers/webif/too-many-lines.tsx';
import { CustomersCard } from './customers-card.tsx';
import { FactsCard } from './facts-card.tsx';
import { Figures } from './figures.tsx';
import { SellersCard } from './sellers-card.tsx';
import { WayCard } from './way-card.tsx';

/** The first tab of a server's page, with the overview. */
export function ServerPage() {
  return (
    <ServerFrame tab="overview">
      {(server) => (
        <>
          <ServerAgent server={server} />
          <Troubles server={server} />
          {server.kind === 'oscam_webif' && <TooManyLines count={server.line_count} />}
          <div className="grid grid-cols-1 gap-6 phone:gap-3">
            <Figures server={server} />
            <div className="grid grid-cols-[minmax(0,5fr)_minmax(0,3fr)] gap-6 tablet:grid-cols-1 phone:gap-3">
              <WayCard server={server} />
              <CustomersCard server={server} />
              <FactsCard server={server} />
              <SellersCard server={server} />
            </div>
          </div>
        </>
      )}
    </ServerFrame>
  );
}
