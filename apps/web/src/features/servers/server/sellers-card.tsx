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
import { Caption, Divided, Row, Strong } from '#kit/ui/vocabulary.tsx';
import { formatSince } from '#platform/format/format-moment.ts';
import styles from './server.module.css';

/** Decisions of an administrator about the server's lines; each switch saves at once. */
export function SellersCard({ server }: { server: Server }) {
  const { t } = useTranslation('servers');
  const { isOn, change } = useServerSwitches(server);
  const told = useToldText(server);
  const [isMoving, setMoving] = useState(false);
  const hasNoPorts = lacksPorts(server);
  const isOffered = !isOn('closed_to_new_lines') && !hasNoPorts;
  const hintIfOffered = server.status === 'inactive' ? 'offeredLater' : 'offeredHint';
  const offeredHint = `page.sellers.${isOffered ? hintIfOffered : 'notOfferedHint'}` as const;
  return (
    <Card title={t('page.sellers.title')}>
      <Divided className={styles.sellers}>
        <li>
          <SwitchRow
            label={t('page.sellers.offered')}
            hint={
              hasNoPorts ? (
                <Link to="/cccam-servers/$id/edit" params={{ id: server.id }} className="link">
                  {t('page.sellers.noPorts')}
                </Link>
              ) : (
                t(offeredHint)
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
          <Row as="li" gap={16} justify="between">
            <div>
              <Strong as="p">{t('page.way.lines', { count: server.line_count })}</Strong>
              <Caption as="p">{t('page.sellers.moveHint')}</Caption>
            </div>
            <Button size="small" onClick={() => setMoving(true)}>
              {t('card.moveLines')}
            </Button>
          </Row>
        )}
        {server.line_count > 0 && (
          <Row as="li" gap={16} justify="between">
            <div>
              <Strong as="p">{t('card.tell')}</Strong>
              <Caption as="p">{told ?? t('page.sellers.tellHint')}</Caption>
            </div>
            <ButtonLink size="small" to="/messages/create" search={{ server: server.id }}>
              {t('page.sellers.write')}
            </ButtonLink>
          </Row>
        )}
      </Divided>
      {isMoving && <MoveLinesDialog server={server} onClose={() => setMoving(false)} />}
    </Card>
  );
}

/** When those with lines on a server that does not respond were told. */
function useToldText({ id }: Server): string | undefined {
  const { t, i18n } = useTranslation();
  const { data } = useQuery(outagesQuery());
  const at = data?.items.find(({ server_id }) => server_id === id)?.told_at;
  return at ? t('outage.told', { time: formatSince(Date.parse(at), i18n.language) }) : undefined;
}
