import { lacksPorts } from '@linekeeper/contract/lines/receivers.ts';
import { addressWarning, customerAddress } from '@linekeeper/contract/servers/customer-address.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { Link } from '@tanstack/react-router';
import { Activity, ServerIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { troubleOf } from '#domain/servers/trouble.ts';
import { ServerMenu } from '#features/servers/server-menu.tsx';
import { statusTones } from '#features/servers/status-tones.ts';
import { TroubleOnCard } from '#features/servers/trouble/troubles.tsx';
import {
  cardServerOf,
  useNotKnownText,
  useOnlineText,
  useReachedText,
} from '#features/servers/use-presence-texts.ts';
import { useReloadText } from '#features/servers/use-reload-text.ts';
import { useServerSwitches } from '#features/servers/use-server-switches.ts';
import { useIsTesting, useTestServer } from '#features/servers/use-server-tests.ts';
import { AddressWarningText } from '#kit/ui/address-warning.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { SPARK_HEIGHT, SPARK_WIDTH, sparkline } from './sparkline.ts';

export function ServerCard({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const nameId = useId();
  const trouble = alarmOf(server);
  return (
    <Card as="li" flush className="flex flex-col" aria-labelledby={nameId}>
      <div className="flex items-center gap-3 pt-(--card-pad) pr-[calc(var(--card-pad)_-_8px)] pb-0 pl-(--card-pad) phone:[&>button]:-my-0.5 phone:[&>button]:-ms-2">
        <IconTile
          tone={server.status === 'inactive' ? 'neutral' : statusTones[server.status]}
          className="small-phone:hidden"
        >
          <ServerIcon size={20} />
        </IconTile>
        <div className="flex-1 min-w-0 wrap-anywhere [&_h2]:type-[600_16px/24px_var(--font)] [&_h2]:tracking-[-0.005em]">
          <h2 id={nameId} tabIndex={-1}>
            <Link
              to="/cccam-servers/$id"
              params={{ id: server.id }}
              className="text-inherit hover:underline"
            >
              <TypedText>{server.server_name}</TypedText>
            </Link>
          </h2>
          <p className="text-text-2 type-caption">
            <TypedText>{server.host_ip}</TypedText>
          </p>
        </div>
        {isWithheld(server) ? (
          <Badge tone="neutral">{t('serverCard.state.closed')}</Badge>
        ) : (
          <Badge tone={statusTones[server.status]}>{t(`status.${server.status}`)}</Badge>
        )}
        <ServerMenu server={server} />
      </div>
      <div className="min-h-24 pt-4 px-(--card-pad) pb-0">
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

/** The problem of a server that is more important on its card than the lines online. */
function alarmOf(server: Server) {
  const trouble = troubleOf(server);
  return trouble?.tone === 'info' ? undefined : trouble;
}

const ROW = 'flex flex-wrap items-stretch justify-between gap-y-0 gap-x-2';

function Row({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className={ROW}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Facts({ server }: { server: Server }) {
  const { t, i18n } = useTranslation('servers');
  const { id, server_name: name, protocol, line_count: count, pushes_due: due } = server;
  const { max_lines: most } = server;
  const { host, port: customerPort } = customerAddress(server);
  const onlineText = useOnlineText();
  // A NewCamd server has a port for each CAID, and its other port is not used.
  const ports = protocol === 'NewCamd' ? server.newcamd_ports.map((one) => one.port) : [];
  const lines = formatNumber(count, i18n.language);
  const shown = most === null ? lines : t('card.linesOfMost', { lines: count, most });
  return (
    <dl className="grid grid-cols-1 gap-2 mt-auto py-4 px-(--card-pad) [&_dd]:ms-auto [&_dd]:font-medium">
      {alarmOf(server) && <Row name={t('presence.online')}>{onlineText(server)}</Row>}
      <div className={ROW}>
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
      </div>
      <Row name={t('nav.lines')}>
        {count === 0 ? (
          shown
        ) : (
          <Link
            className="link"
            to="/cccam-servers/$id/lines"
            params={{ id }}
            aria-label={t('actionOf', { action: `${shown} ${t('nav.lines')}`, name })}
          >
            {shown}
          </Link>
        )}
      </Row>
      <CardServer server={server} />
      <NoSales server={server} />
      {due > 0 && (
        <Row name={t('card.waiting')}>
          <Link
            className="link"
            to="/cccam-servers/sync"
            search={{ server: id }}
            aria-label={t('actionOf', {
              action: `${formatNumber(due, i18n.language)} ${t('card.waiting')}`,
              name,
            })}
          >
            {formatNumber(due, i18n.language)}
          </Link>
        </Row>
      )}
    </dl>
  );
}

/** The card server's software, and how it loads changes. Unknown before the first connection. */
function CardServer({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const takes = useReloadText()(server);
  const { reload, last_connection } = server;
  const { program, started_at } = cardServerOf(server);
  const reachedText = useReachedText();
  if (!reload && !last_connection) return null;
  return (
    <>
      {program && (
        <Row name={<TypedText>{program}</TypedText>}>
          {started_at && (
            <>
              {t('card.since')} <Timestamp value={started_at} />
            </>
          )}
        </Row>
      )}
      <Row name={t('card.takes')}>
        <span className={takes.tone === 'warning' ? 'text-warning-fg' : ''}>{takes.text}</span>
      </Row>
      <Row name={t('page.facts.reached')}>{reachedText(server)}</Row>
    </>
  );
}

/** The badge of a server that has as many lines as allowed. */
function NoSales({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const { max_lines, line_count } = server;
  if (max_lines === null || line_count < max_lines) return null;
  return (
    <Row name={t('card.sales')}>
      <Badge tone="warning">{t('serverCard.state.full')}</Badge>
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
    <div className="pt-0 px-(--card-pad) pb-(--card-pad)">
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

/** The number of a server's lines online and a curve of the last 24 hours, dashed while it is unknown. */
function OnlineHistory({ server }: { server: Server }) {
  const { t, i18n } = useTranslation('servers');
  const notKnown = useNotKnownText()(server);
  const { presence, line_count } = server;
  const number = (value: number) => formatNumber(value, i18n.language);
  const curve = presence?.most_online ?? [];
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between text-text-2 content-end gap-y-0 gap-x-2 min-h-8 [&_b]:text-text [&_b]:type-[700_24px/32px_var(--font)] [&_b]:tracking-[-0.01em]">
        <span>{t('presence.online')}</span>
        {notKnown ? (
          <span>{notKnown}</span>
        ) : (
          <span>
            <b>{number(presence?.lines_online ?? 0)}</b> {t('card.of', { all: line_count })}
          </span>
        )}
      </div>
      {!notKnown && curve.length > 1 ? (
        <Sparkline values={curve} />
      ) : (
        <div className="h-0.5 mt-[45px] mx-0 mb-px [background:repeating-linear-gradient(_to_right,var(--color-divider-strong)_0_4px,transparent_4px_10px_)]" />
      )}
    </>
  );
}

function Sparkline({ values }: { values: number[] }) {
  const { t } = useTranslation('servers');
  const { line, area } = sparkline(values);
  const words = t('card.history', { lowest: Math.min(...values), highest: Math.max(...values) });
  return (
    <svg
      className="[--line:var(--color-chart-4)] block w-full h-12 [&_path[data-part=line]]:fill-[none] [&_path[data-part=line]]:stroke-(--line) [&_path[data-part=line]]:[stroke-width:1.5] [&_path[data-part=area]]:fill-[color-mix(in_srgb,var(--line)_9%,transparent)]"
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <path data-part="area" d={area} />
      <path data-part="line" d={line} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
