import { lacksPorts } from '@linekeeper/contract/lines/receivers.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MoveLinesDialog } from '#domain/lines/move/move-lines-dialog.tsx';
import { outagesQuery } from '#domain/servers/outage-queries.ts';
import { useServerSwitches } from '#features/servers/use-server-switches.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { SwitchRow } from '#kit/ui/controls/switch-row.tsx';
import { formatSince } from '#platform/format/format-moment.ts';

/**
 * The card with the switches that concern sellers, such as whether the server is offered for new
 * lines. Each is saved immediately.
 */
export function SellersCard({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const { isOn, change } = useServerSwitches(server);
  const told = useToldText(server);
  const [isMoving, setMoving] = useState(false);
  const hasNoPorts = lacksPorts(server);
  const isOffered = !isOn('closed_to_new_lines') && !hasNoPorts;
  return (
    <Card title={t('page.sellers.title')}>
      <ul className="divided [&>:not(:has(input))]:py-4 [&>:not(:has(input))]:last:pb-0">
        <li>
          <SwitchRow
            label={t('page.sellers.offered')}
            hint={
              hasNoPorts && (
                <Link to="/cccam-servers/$id/edit" params={{ id: server.id }} className="link">
                  {t('page.sellers.noPorts')}
                </Link>
              )
            }
            disabled={hasNoPorts}
            checked={isOffered}
            onChange={(offers) => change('closed_to_new_lines', !offers)}
          />
        </li>
        <li>
          <SwitchRow
            label={t('form.repair_automatically')}
            hint={t('form.repair_hint')}
            checked={isOn('repair_automatically')}
            onChange={(repairs) => change('repair_automatically', repairs)}
          />
        </li>
        {server.line_count > 0 && (
          <li className="flex items-center justify-between gap-4">
            <p className="type-strong">{t('page.way.lines', { count: server.line_count })}</p>
            <Button size="small" onClick={() => setMoving(true)}>
              {t('move.confirm')}
            </Button>
          </li>
        )}
        {server.line_count > 0 && (
          <li className="flex items-center justify-between gap-4">
            <div>
              <p className="type-strong">{t('card.tell')}</p>
              {told && <p className="text-text-2 type-caption">{told}</p>}
            </div>
            <ButtonLink size="small" to="/messages/create" search={{ server: server.id }}>
              {t('page.sellers.write')}
            </ButtonLink>
          </li>
        )}
      </ul>
      {isMoving && <MoveLinesDialog server={server} onClose={() => setMoving(false)} />}
    </Card>
  );
}

/** The time at which accounts with lines on a server that does not respond were notified. */
function useToldText({ id }: Server): string | undefined {
  const { t, i18n } = useTranslation();
  const { data } = useQuery(outagesQuery());
  const at = data?.items.find(({ server_id }) => server_id === id)?.told_at;
  return at ? t('outage.told', { time: formatSince(Date.parse(at), i18n.language) }) : undefined;
}
