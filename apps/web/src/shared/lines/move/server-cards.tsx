import { mustChange } from '@linekeeper/contract/lines/receivers.ts';
import { listServers, type Server } from '@linekeeper/contract/servers/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { type Ref, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callQuery } from '../../api/call-query.ts';
import {
  enteredAt,
  type ServerChoice,
  serverChoicesQuery,
  takesLines,
} from '../../data/server-choices.ts';
import { useMe } from '../../data/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Radio } from '../../ui/controls/radio.tsx';
import { TypedText } from '../../ui/typed-text.tsx';
import { Row, Stack } from '../../ui/vocabulary.tsx';
import { whatChanges } from '../address-change.tsx';
import styles from './server-cards.module.css';

interface ServerCardsProps {
  legend: string;
  value: string | undefined;
  onChange: (id: string) => void;
  /** The server that the lines are on; undefined if they are on several. */
  from?: ServerChoice | undefined;
  /** The addresses of the line, where it is one. */
  addresses?: readonly string[];
  /** How many customers there are. */
  count: number;
  /** The sentence for nothing chosen. */
  problem?: string | undefined;
  firstRef?: Ref<HTMLInputElement>;
  onBlur?: () => void;
}

/** A line's addresses on another server. */
export function addressesOn(
  target: ServerChoice,
  from: ServerChoice,
  addresses: readonly string[],
): string[] {
  return addresses.map((address) =>
    address === from.host_port ? (target.host_port ?? address) : address,
  );
}

/** Details that only administrators are told, by server. */
function useDetails(): ReadonlyMap<string, Server> {
  const { is_admin } = useMe();
  const { data } = useQuery(
    callQuery('servers', listServers, { query: { limit: 100 }, enabled: is_admin }),
  );
  return new Map(data?.items.map((server) => [server.id, server]));
}

/**
 * Servers to choose from, each with what customers must enter afterwards: first those where they change nothing, and
 * folded those that cannot be chosen now.
 */
export function ServerCards(props: ServerCardsProps) {
  const { legend, value, onChange, from, addresses = [], count, problem, firstRef, onBlur } = props;
  const { t } = useTranslation();
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const details = useDetails();
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  const changeOf = (target: ServerChoice) => {
    if (!from?.host_port) return undefined;
    const [old, next] = [
      enteredAt(from, addresses),
      enteredAt(target, addressesOn(target, from, addresses)),
    ];
    return mustChange(old, next) ? whatChanges(old, next) : null;
  };
  const others = servers
    .filter((server) => server.id !== from?.id)
    .map((server) => ({ server, change: changeOf(server), isOpen: takesLines(server) }));
  const open = others
    .filter(({ isOpen }) => isOpen)
    .sort((one, other) => Number(other.change === null) - Number(one.change === null));
  const closed = others.filter(({ isOpen }) => !isOpen);
  const shown = isWhole || open.length === 0 ? [...open, ...closed] : open;
  return (
    <Stack as="fieldset" gap={8} aria-describedby={problem && `${id}-problem`}>
      <legend className="visually-hidden">{legend}</legend>
      {shown.map(({ server, change, isOpen }, index) => (
        <Row
          as="label"
          gap={12}
          className={`choice ${styles.card}`}
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
          <Stack as="span" grow wraps strong>
            <TypedText>{server.server_name}</TypedText>
            <ServerFacts server={server} details={details.get(server.id)} />
          </Stack>
          {!isOpen && <Badge tone="neutral">{t('serverCard.notNow')}</Badge>}
          {isOpen && change !== undefined && (
            <Badge tone={change ? 'warning' : 'success'}>
              {change ? t(`serverCard.change.${change}`, { count }) : t('serverCard.nothing')}
            </Badge>
          )}
        </Row>
      ))}
      {shown.length < others.length && (
        <div>
          <Button variant="text" size="small" icon={<ChevronDown />} onClick={() => setWhole(true)}>
            {t('serverCard.more', { count: closed.length })}
          </Button>
        </div>
      )}
      {problem && (
        <p id={`${id}-problem`} role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </Stack>
  );
}

/** How a server is, and how many lines it has. */
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
