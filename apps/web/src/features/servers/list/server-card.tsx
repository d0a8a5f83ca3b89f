import { addressWarning, customerAddress } from '@linekeeper/contract/servers/customer-address.ts';
import type { Reload, Server } from '@linekeeper/contract/servers/servers.ts';
import { Link } from '@tanstack/react-router';
import { Activity, CircleAlert, ServerIcon } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../shared/i18n/format-number.ts';
import {
  isNotTaken,
  notTakenSince,
  useShortMoment,
} from '../../../shared/not-taken/use-not-taken-texts.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { IconTile } from '../../../shared/ui/icon-tile.tsx';
import { Timestamp } from '../../../shared/ui/timestamp.tsx';
import { TypedText } from '../../../shared/ui/typed-text.tsx';
import { Caption, Row, Stack } from '../../../shared/ui/vocabulary.tsx';
import { AddressWarningText } from '../address-warning.tsx';
import { KeptByHand } from '../compare/kept-by-hand.tsx';
import { LostAccounts } from '../compare/lost-accounts.tsx';
import { AgentWarnings } from '../not-taken.tsx';
import styles from '../servers.module.css';
import { statusTones } from '../status-tones.ts';
import { useServerProblem } from '../use-server-problem.ts';
import { useIsTesting, useTestServer } from '../use-server-tests.ts';
import { LatencyHistory } from './latency-history.tsx';
import { ServerMenu } from './server-menu.tsx';

export function ServerCard({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const nameId = useId();
  return (
    <Card as="li" flush className={styles.card} aria-labelledby={nameId}>
      <Row gap={12} className={styles.head}>
        <IconTile
          tone={server.status === 'inactive' ? 'neutral' : statusTones[server.status]}
          className={styles.icon}
        >
          <ServerIcon size={20} />
        </IconTile>
        <div className={styles.names}>
          <h2 id={nameId} tabIndex={-1}>
            <TypedText>{server.server_name}</TypedText>
          </h2>
          <Caption as="p">
            <TypedText>{server.host_ip}</TypedText>
          </Caption>
        </div>
        <Badge tone={statusTones[server.status]}>{t(`status.${server.status}`)}</Badge>
        <ServerMenu server={server} />
      </Row>
      <div className={styles.state}>
        <State server={server} headingId={nameId} />
      </div>
      <Facts server={server} />
      <TestButton server={server} nameId={nameId} />
    </Card>
  );
}

function State({ server, headingId }: { server: Server; headingId: string }) {
  if (server.status === 'error') return <Problem server={server} />;
  if (server.accounts_missing > 0) return <LostAccounts server={server} headingId={headingId} />;
  if (server.kept_by_hand > 0) return <KeptByHand server={server} />;
  if (isNotTaken(server) || server.day_finding) return <AgentWarnings server={server} />;
  return <LatencyHistory server={server} />;
}

function Problem({ server }: { server: Server }) {
  const { problem, advice } = useServerProblem()(server.status_finding, server.api_port);
  return (
    <Row align="stretch" wraps className={styles.problem}>
      <CircleAlert size={18} />
      <div>
        <p>{problem}</p>
        <Caption above={4} as="p">
          {advice}
        </Caption>
      </div>
    </Row>
  );
}

function Facts({ server }: { server: Server }) {
  const { t, i18n } = useTranslation('servers');
  const { id, protocol, port, line_count: count, pushes_due: due, max_lines: most } = server;
  const { host, port: customerPort } = customerAddress(server);
  // A NewCamd server has a port for each CAID, and the other one is not used.
  const ports = protocol === 'NewCamd' ? server.newcamd_ports.map((one) => one.port) : [];
  const lines = formatNumber(count, i18n.language);
  const shown = most === null ? lines : t('card.linesOfMost', { lines: count, most });
  const linesOn = t('card.linesOn', { count, name: server.server_name });
  return (
    <Stack as="dl" gap={8} className={styles.facts}>
      <Row gap="0 8" align="stretch" justify="between" wrap>
        <dt>{t('card.lastConnection')}</dt>
        <dd>
          {server.last_connection ? <Timestamp value={server.last_connection} /> : t('card.never')}
        </dd>
      </Row>
      <Row gap="0 8" align="stretch" justify="between" wrap>
        <dt>{t('card.protocol')}</dt>
        <dd>{ports.length > 0 ? protocol : t('card.protocolAndPort', { protocol, port })}</dd>
      </Row>
      <Row gap="0 8" align="stretch" justify="between" wrap>
        <dt>{t('card.forCustomers')}</dt>
        <dd>
          <TypedText>
            {ports.length > 0 ? `${host}:${ports.join(', ')}` : `${host}:${customerPort}`}
          </TypedText>
        </dd>
        {addressWarning(host) && (
          <dd>
            <AddressWarningText host={host} />
          </dd>
        )}
      </Row>
      <Row gap="0 8" align="stretch" justify="between" wrap>
        <dt>{t('card.lines')}</dt>
        <dd>
          {count === 0 ? (
            shown
          ) : (
            <Link
              className="link"
              to="/users/all"
              search={{ server: id }}
              // The accessible name contains the visible text (WCAG 2.5.3).
              aria-label={most === null ? linesOn : `${shown}: ${linesOn}`}
            >
              {shown}
            </Link>
          )}
        </dd>
      </Row>
      <TakesChanges server={server} />
      <NoSales server={server} />
      {due > 0 && (
        <Row gap="0 8" align="stretch" justify="between" wrap>
          <dt>{t('card.waiting')}</dt>
          <dd>
            <Link
              className="link"
              to="/cccam-servers/sync"
              search={{ server: id }}
              aria-label={t('card.waitingOn', { count: due, name: server.server_name })}
            >
              {formatNumber(due, i18n.language)}
            </Link>
          </dd>
        </Row>
      )}
    </Stack>
  );
}

/** How changes get from the agent to the card server. Unknown before the first connection. */
function TakesChanges({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const shortMoment = useShortMoment();
  const { reload, last_connection } = server;
  if (!reload && !last_connection) return null;
  const wayOf = (told: Reload) => {
    const since = notTakenSince(told);
    if (isNotTaken(server) && since) {
      return <Badge tone="warning">{t('card.notSince', { time: shortMoment(since) })}</Badge>;
    }
    if (!told.by) return <Badge tone="warning">{t('card.byNobody')}</Badge>;
    const way = t(told.by === 'webif' ? 'card.byWebif' : 'card.byCommand');
    return told.ok_at ? `${way}, ${shortMoment(told.ok_at)}` : way;
  };
  return (
    <Row gap="0 8" align="stretch" justify="between" wrap>
      <dt>{t('card.takes')}</dt>
      <dd>{reload ? wayOf(reload) : t('card.notSaid')}</dd>
    </Row>
  );
}

/** Said only where it takes no new lines. */
function NoSales({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const { closed_to_new_lines: isClosed, max_lines, line_count } = server;
  if (!isClosed && (max_lines === null || line_count < max_lines)) return null;
  return (
    <Row gap="0 8" align="stretch" justify="between" wrap>
      <dt>{t('card.sales')}</dt>
      <dd>
        <Badge tone="warning">{t(isClosed ? 'card.closed' : 'card.full')}</Badge>
      </dd>
    </Row>
  );
}

function TestButton({ server, nameId }: { server: Server; nameId: string }) {
  const { t } = useTranslation('servers');
  const test = useTestServer();
  const isTesting = useIsTesting(server.id);
  return (
    <div className={styles.foot}>
      <Button
        variant={server.status === 'active' ? 'outlined' : 'soft'}
        fullWidth
        icon={<Activity />}
        pending={isTesting}
        aria-describedby={nameId}
        onClick={() => void test.send(server)}
      >
        {t(server.status === 'error' ? 'test.again' : 'test.connection')}
      </Button>
    </div>
  );
}
