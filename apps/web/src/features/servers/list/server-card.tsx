import { lacksPorts } from '@linekeeper/contract/lines/receivers.ts';
import { addressWarning, customerAddress } from '@linekeeper/contract/servers/customer-address.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { Link } from '@tanstack/react-router';
import { Activity, ServerIcon } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { troubleOf } from '#domain/servers/trouble.ts';
import { ServerMenu } from '#features/servers/server-menu.tsx';
import styles from '#features/servers/servers.module.css';
import { statusTones } from '#features/servers/status-tones.ts';
import { TroubleOnCard } from '#features/servers/trouble/troubles.tsx';
import {
  cardServerOf,
  useOnlineText,
  useReachedText,
} from '#features/servers/use-presence-texts.ts';
import { useServerSwitches } from '#features/servers/use-server-switches.ts';
import { useIsTesting, useTestServer } from '#features/servers/use-server-tests.ts';
import { useTakesText } from '#features/servers/use-takes-text.ts';
import { AddressWarningText } from '#kit/ui/address-warning.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Caption, Row, Stack, Text } from '#kit/ui/vocabulary.tsx';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { OnlineHistory } from './online-history.tsx';

export function ServerCard({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const nameId = useId();
  const trouble = alarmOf(server);
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
            <Link to="/cccam-servers/$id" params={{ id: server.id }} className={styles.name}>
              <TypedText>{server.server_name}</TypedText>
            </Link>
          </h2>
          <Caption as="p">
            <TypedText>{server.host_ip}</TypedText>
          </Caption>
        </div>
        {isWithheld(server) ? (
          <Badge tone="neutral">{t('page.notOffered')}</Badge>
        ) : (
          <Badge tone={statusTones[server.status]}>{t(`status.${server.status}`)}</Badge>
        )}
        <ServerMenu server={server} />
      </Row>
      <div className={styles.state}>
        {trouble ? (
          <TroubleOnCard key={trouble.cause} server={server} trouble={trouble} headingId={nameId} />
        ) : (
          <OnlineHistory server={server} />
        )}
      </div>
      <Facts server={server} />
      <NextButton server={server} nameId={nameId} />
    </Card>
  );
}

/** What is more urgent to say on a card than who is on. */
function alarmOf(server: Server) {
  const trouble = troubleOf(server);
  return trouble?.tone === 'info' ? undefined : trouble;
}

function Facts({ server }: { server: Server }) {
  const { t, i18n } = useTranslation('servers');
  const { id, protocol, line_count: count, pushes_due: due, max_lines: most } = server;
  const { host, port: customerPort } = customerAddress(server);
  const onlineText = useOnlineText();
  // A NewCamd server has a port for each CAID, and the other one is not used.
  const ports = protocol === 'NewCamd' ? server.newcamd_ports.map((one) => one.port) : [];
  const lines = formatNumber(count, i18n.language);
  const shown = most === null ? lines : t('card.linesOfMost', { lines: count, most });
  const linesOn = t('card.linesOn', { count, name: server.server_name });
  return (
    <Stack as="dl" gap={8} className={styles.facts}>
      {alarmOf(server) && (
        <Row gap="0 8" align="stretch" justify="between" wrap>
          <dt>{t('presence.online')}</dt>
          <dd>{onlineText(server)}</dd>
        </Row>
      )}
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
              to="/cccam-servers/$id/lines"
              params={{ id }}
              // The accessible name contains the visible text (WCAG 2.5.3).
              aria-label={most === null ? linesOn : `${shown}: ${linesOn}`}
            >
              {shown}
            </Link>
          )}
        </dd>
      </Row>
      <CardServer server={server} />
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

/** Software that runs there, and its way of taking changes. Unknown before the first connection. */
function CardServer({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const takes = useTakesText()(server);
  const { reload, last_connection } = server;
  const { program, started_at } = cardServerOf(server);
  const reachedText = useReachedText();
  if (!reload && !last_connection) return null;
  return (
    <>
      {program && (
        <Row gap="0 8" align="stretch" justify="between" wrap>
          <dt>
            <TypedText>{program}</TypedText>
          </dt>
          <dd>
            {started_at && (
              <>
                {t('card.since')} <Timestamp value={started_at} />
              </>
            )}
          </dd>
        </Row>
      )}
      <Row gap="0 8" align="stretch" justify="between" wrap>
        <dt>{t('card.takes')}</dt>
        <dd>
          <Text tone={takes.tone === 'warning' ? 'warning' : undefined}>{takes.text}</Text>
        </dd>
      </Row>
      <Row gap="0 8" align="stretch" justify="between" wrap>
        <dt>{t('page.facts.reached')}</dt>
        <dd>{reachedText(server)}</dd>
      </Row>
    </>
  );
}

/** Said only where it has as many lines as it may. */
function NoSales({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const { max_lines, line_count } = server;
  if (max_lines === null || line_count < max_lines) return null;
  return (
    <Row gap="0 8" align="stretch" justify="between" wrap>
      <dt>{t('card.sales')}</dt>
      <dd>
        <Badge tone="warning">{t('card.full')}</Badge>
      </dd>
    </Row>
  );
}

const isWithheld = (server: Server) =>
  server.status === 'active' && (server.closed_to_new_lines || lacksPorts(server));

/** The next step with the server: its ports are added, it is offered to sellers, or tested. */
function NextButton({ server, nameId }: { server: Server; nameId: string }) {
  const { t } = useTranslation('servers');
  const test = useTestServer();
  const isTesting = useIsTesting(server.id);
  const { change, isPending } = useServerSwitches(server);
  return (
    <div className={styles.foot}>
      {server.status === 'active' && lacksPorts(server) ? (
        <ButtonLink
          to="/cccam-servers/$id/edit"
          params={{ id: server.id }}
          aria-describedby={nameId}
        >
          {t('page.sellers.addPorts')}
        </ButtonLink>
      ) : isWithheld(server) ? (
        <Button
          variant="soft"
          fullWidth
          pending={isPending}
          aria-describedby={nameId}
          onClick={() => change('closed_to_new_lines', false)}
        >
          {t('page.sellers.offer')}
        </Button>
      ) : (
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
      )}
    </div>
  );
}
