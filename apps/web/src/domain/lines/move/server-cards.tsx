import { mustChange } from '@linekeeper/contract/lines/receivers.ts';
import { listServers, type Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { type Ref, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { whatChanges } from '#domain/lines/address-change.tsx';
import {
  enteredAt,
  type ServerChoice,
  serverChoicesQuery,
  takesLines,
} from '#domain/servers/server-choices.ts';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Radio } from '#kit/ui/controls/radio.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useMe } from '#platform/data/session.ts';

/** Lines that are on one server at the same addresses; without addresses, at the server's own. */
export interface LinePlace {
  server_id: string;
  host_port?: readonly string[];
  count: number;
}

interface ServerCardsProps {
  legend: string;
  value: string | undefined;
  onChange: (id: string) => void;
  /** The present servers of the lines; undefined while they are unknown. */
  places: readonly LinePlace[] | undefined;
  /** The error if no server is chosen. */
  problem?: string | undefined;
  firstRef?: Ref<HTMLInputElement>;
  onBlur?: () => void;
}

/** A line's addresses on another server. */
function addressesOn(
  target: ServerChoice,
  from: ServerChoice,
  addresses: readonly string[],
): string[] {
  return addresses.map((address) =>
    address === from.host_port ? (target.host_port ?? address) : address,
  );
}

type What = ReturnType<typeof whatChanges>;

/** The change for customers of several kinds together. */
function together(parts: readonly What[]): What {
  const [first = 'lines'] = parts;
  if (parts.every((part) => part === first)) return first;
  return parts.includes('lines') ? 'lines' : 'both';
}

/**
 * The number of customers who must change something on another server, and the change; undefined if
 * addresses are unknown.
 */
function changeOn(
  target: ServerChoice,
  places: readonly LinePlace[],
  servers: readonly ServerChoice[],
): { count: number; what: What } | undefined {
  const moved = places.filter(({ server_id }) => server_id !== target.id);
  const changes: { count: number; what: What }[] = [];
  for (const { server_id, host_port = [], count } of moved) {
    const from = servers.find(({ id }) => id === server_id);
    if (!from?.host_port) return undefined;
    const [old, next] = [
      enteredAt(from, host_port),
      enteredAt(target, addressesOn(target, from, host_port)),
    ];
    if (mustChange(old, next)) changes.push({ count, what: whatChanges(old, next) });
  }
  return {
    count: changes.reduce((sum, { count }) => sum + count, 0),
    what: together(changes.map(({ what }) => what)),
  };
}

/** Details that only administrators see, by server. */
function useDetails(): ReadonlyMap<string, Server> {
  const { is_admin } = useMe();
  const { data } = useQuery(
    callQuery('servers', listServers, { query: { limit: 100 }, enabled: is_admin }),
  );
  return new Map(data?.items.map((server) => [server.id, server]));
}

/** The badge of a card, about the effect on the line; on a phone it has its own row. */
const BADGE =
  '[&>:last-child]:flex-none [&>:last-child]:max-w-full phone:[&>:nth-child(3)]:h-auto phone:[&>:nth-child(3)]:ms-8 phone:[&>:nth-child(3)]:whitespace-normal';

/**
 * The servers to which lines can be moved, each with the change for customers. Servers without a
 * change come first, and servers that cannot be chosen now are folded.
 */
export function ServerCards(props: ServerCardsProps) {
  const { legend, value, onChange, places, problem, firstRef, onBlur } = props;
  const { t } = useTranslation();
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const details = useDetails();
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  const others = servers
    .filter(({ id }) => !places?.length || places.some(({ server_id }) => server_id !== id))
    .map((server) => ({
      server,
      change: places && changeOn(server, places, servers),
      isOpen: takesLines(server),
    }));
  const open = others
    .filter(({ isOpen }) => isOpen)
    .sort((one, other) => (one.change?.count ?? 0) - (other.change?.count ?? 0));
  const closed = others.filter(({ isOpen }) => !isOpen);
  const shown = isWhole || open.length === 0 ? [...open, ...closed] : open;
  return (
    <fieldset className="grid grid-cols-1 gap-2" aria-describedby={problem && `${id}-problem`}>
      <legend className="visually-hidden">{legend}</legend>
      {shown.map(({ server, change, isOpen }, index) => (
        <label
          className={`choice flex items-center gap-3 min-h-15 py-2 px-4 data-closed:bg-head data-closed:cursor-default phone:flex-wrap ${BADGE}`}
          data-closed={!isOpen || undefined}
          key={server.id}
        >
          <Radio
            ref={index === 0 ? firstRef : undefined}
            name={id}
            value={server.id}
            checked={value === server.id}
            disabled={!isOpen}
            aria-invalid={problem ? true : undefined}
            onBlur={onBlur}
            onChange={() => onChange(server.id)}
          />
          <span className="grid grid-cols-1 flex-1 type-strong min-w-0 wrap-anywhere phone:basis-[calc(100%_-_48px)]">
            <TypedText>{server.server_name}</TypedText>
            <ServerFacts server={server} details={details.get(server.id)} />
          </span>
          {!isOpen && <Badge tone="neutral">{t('serverCard.notNow')}</Badge>}
          {isOpen && change !== undefined && (
            <Badge tone={change.count > 0 ? 'warning' : 'success'}>
              {change.count > 0
                ? t(`address.${change.what}`, { count: change.count })
                : t('address.nothing')}
            </Badge>
          )}
        </label>
      ))}
      {shown.length < others.length && (
        <div>
          <Button variant="text" size="small" icon={<ChevronDown />} onClick={() => setWhole(true)}>
            {t('recurring.more')}
          </Button>
        </div>
      )}
      {problem && (
        <p id={`${id}-problem`} role="alert" className="type-caption text-error-fg">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

/** The state of a server, and its number of lines. */
function ServerFacts({ server, details }: { server: ServerChoice; details: Server | undefined }) {
  const { t } = useTranslation();
  const why = server.status === 'active' ? (server.takes_no_lines ?? 'active') : server.status;
  const latency = details?.latency_ms;
  const state =
    why === 'active' && latency != null
      ? t('serverCard.answers', { latency })
      : t(`serverCard.state.${why}`);
  const lines = details && t('serverCard.lines', { count: details.line_count });
  return <small>{[state, lines].filter(Boolean).join(' · ')}</small>;
}
