import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { Check, CircleAlert, Clock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { serverChoicesQuery } from '#domain/servers/server-choices.ts';
import { Badge } from '#kit/ui/badge.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { type PlacedServer, placedState } from './placed.ts';

const looks = {
  taken: { tone: 'success', Icon: Check },
  waits: { tone: 'warning', Icon: Clock },
  refused: { tone: 'error', Icon: CircleAlert },
} as const;

/** The servers of a line, each with its state. Empty for a line of one server, whose state is that of the line. */
export function ServerChips({ line: { servers } }: { line: Line }) {
  const { t } = useTranslation();
  const { data: choices = [] } = useQuery(serverChoicesQuery());
  const stateText = useStateText();
  if (servers.length < 2) return null;
  return (
    <ul
      className="flex flex-wrap gap-2 [--badge-height:32px] [&>li>span]:gap-2 [&>li>span]:px-3 [&>li>span]:type-[600_14px/20px_var(--font)]"
      aria-label={t('field.servers')}
    >
      {servers.map((server) => {
        const { tone, Icon } = looks[placedState(server)];
        return (
          <li key={server.server_id} className="min-w-0">
            <Badge tone={tone} icon={<Icon />} title={stateText(server)}>
              <TypedText>
                {choices.find(({ id }) => id === server.server_id)?.server_name ?? '…'}
              </TypedText>
              <span className="visually-hidden">, {stateText(server)}</span>
            </Badge>
          </li>
        );
      })}
    </ul>
  );
}

function useStateText() {
  const { t } = useTranslation();
  const findingText = useFindingText();
  return (server: PlacedServer): string => {
    switch (placedState(server)) {
      case 'taken':
        return t('plan.taken');
      case 'waits':
        return t('line.sync.waits');
      case 'refused':
        return findingText(server.sync_finding);
    }
  };
}
