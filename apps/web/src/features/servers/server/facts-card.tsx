import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { comparisonQuery } from '#features/servers/queries.ts';
import { cardServerOf, useReachedText } from '#features/servers/use-presence-texts.ts';
import { useShortMoment } from '#features/servers/use-reload-text.ts';
import { Card } from '#kit/ui/card.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';

/** The card with facts that the card server and its agent report. */
export function FactsCard({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const { presence, protocol, port, newcamd_ports, zone, line_count } = server;
  const shortMoment = useShortMoment();
  const reachedText = useReachedText();
  const { program, started_at } = cardServerOf(server);
  const ports = protocol === 'NewCamd' ? newcamd_ports.map((one) => one.port) : [];
  // OSCam reports only its time zone; a finding about another day has the day.
  const day = server.server_day ?? server.day_finding?.data.day;
  // OSCam reports only its difference from UTC.
  const zoneText = zone?.replace(/^[+-]/, 'UTC$&');
  const notSaid = <span className="text-text-2">{t('card.notSaid')}</span>;
  return (
    <Card
      title={t('page.facts.title')}
      action={
        presence?.at && (
          <span className="text-text-2 type-caption">
            {t('presence.asOf', { time: shortMoment(presence.at) })}
          </span>
        )
      }
    >
      <dl className="grid grid-cols-2 gap-y-4 gap-x-8 wrap-anywhere [&_dt]:text-text-2 [&_dt]:type-caption [&_dd]:mt-0.5 [&_dd]:font-medium small-phone:grid-cols-1">
        <Fact name={t('page.facts.program')}>
          {program ? <TypedText>{program}</TypedText> : notSaid}
        </Fact>
        <Fact name={t('page.facts.since')}>
          {started_at ? <Timestamp value={started_at} /> : notSaid}
        </Fact>
        <Fact name={t('page.facts.reached')}>{reachedText(server)}</Fact>
        <Fact name={t('field.protocol')}>
          {ports.length > 0
            ? `${protocol}: ${ports.join(', ')}`
            : t('card.protocolAndPort', { protocol, port })}
        </Fact>
        <Fact name={t('page.facts.day')}>
          {day || zone ? [day && formatDay(day), zoneText].filter(Boolean).join(', ') : notSaid}
        </Fact>
        {server.same_machine.length > 0 && (
          <Fact name={t('page.facts.sameMachine')}>
            {server.same_machine.map(({ id, server_name }) => (
              <div key={id}>
                <Link to="/cccam-servers/$id" params={{ id }} className="link">
                  {server_name}
                </Link>
              </div>
            ))}
          </Fact>
        )}
        <OscamFacts server={server} />
        {server.max_lines !== null && (
          <Fact name={t('nav.lines')}>
            {t('card.linesOfMost', { lines: line_count, most: server.max_lines })}
          </Fact>
        )}
      </dl>
    </Card>
  );
}

/** Facts of OSCam's accounts, from the comparison whose count is on the tab Differences. */
function OscamFacts({ server: { id, kind, status } }: { server: Server }) {
  const { t } = useTranslation('servers');
  const isAsked = kind === 'oscam_webif' && status === 'active';
  const { data } = useQuery({ ...comparisonQuery(id), enabled: isAsked });
  if (!isAsked || !data?.offered) return null;
  const { same, different, suspended, by_hand, new_group: group } = data;
  return (
    <>
      <Fact name={t('page.facts.accounts')}>
        {t('page.facts.oursAndOwn', {
          ours: same + different.count + suspended.count,
          own: by_hand.count,
        })}
      </Fact>
      {group !== null && (
        <Fact name={t('page.facts.newLine')}>{t('page.facts.group', { group })}</Fact>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
