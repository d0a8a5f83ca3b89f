import { endSessions } from '@linekeeper/contract/lines/usage.ts';
import type { OnlineLine } from '@linekeeper/contract/servers/presence.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { LineLink } from '#domain/lines/line-link.tsx';
import { OnlineDot } from '#domain/lines/presence.tsx';
import { useLengthText } from '#features/servers/health/use-health-texts.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { Found } from '#kit/list/found.tsx';
import { RowActions, useRowButtonSize } from '#kit/list/row-actions.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { formatSince } from '#platform/format/format-moment.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { results } from '#platform/state/results.ts';

/** A line that is online, with an id like all rows of lists. */
export type Client = OnlineLine & { id: string };

/** Width in pixels of the column with the button that ends sessions, for its words in all four languages. */
export const END_WIDTH = 176;
/** The share from which refused requests are highlighted. */
const MANY_REFUSED = 0.2;

const isRefusedOften = ({ requests_ok, requests_refused }: Client) =>
  requests_refused > 0 && requests_refused >= MANY_REFUSED * (requests_ok + requests_refused);

const name = column.name<Client>(
  'username',
  ({ line_id, username }) => (
    <LineLink id={line_id}>
      <Found text={username} isCut />
    </LineLink>
  ),
  { sortBy: 'username' },
);

const tableColumns: ListColumn<Client>[] = [
  name,
  column.text<Client>(
    'connections',
    ({ connections }) => (
      <div className="inline-flex items-center gap-2">
        <OnlineDot />
        {connections}
      </div>
    ),
    { sortBy: 'connections', width: { size: 128 } },
  ),
  column.text<Client>('protocol', (client) => <Protocols client={client} />, {
    look: 'quiet',
    width: { size: 104 },
  }),
  column.text<Client>('network', (client) => networksOf(client) ?? '–', {
    look: 'quiet',
    width: { size: 168, min: 144 },
  }),
  column.text<Client>('since', (client) => <Since client={client} />, {
    sortBy: 'since',
    width: { size: 184, min: 160 },
  }),
  column.count<Client>('answered', ({ requests_ok }) => requests_ok, {
    width: { size: 128, min: 112 },
  }),
  column.count<Client>('refused', (client) => <Refused client={client} />, {
    width: { size: 128, min: 112 },
  }),
];

const cardColumns: ListColumn<Client>[] = [
  name,
  {
    ...column.text<Client>('online', (client) => <Connections client={client} />),
    inCard: 'badge',
  },
  { ...column.text<Client>('about', (client) => <About client={client} />), inCard: 'line' },
  { ...column.text<Client>('requests', (client) => <Requests client={client} />), inCard: 'line' },
];

/** Columns of the table, or lines of the cards of a phone. */
export function useClientColumns(hasCards: boolean): readonly ListColumn<Client>[] {
  return useMemo(() => (hasCards ? cardColumns : tableColumns), [hasCards]);
}

function protocolsOf({ sessions }: Client): string | null {
  const all = new Set(sessions.flatMap(({ protocol }) => protocol ?? []));
  return [...all].join(', ') || null;
}

/** The protocols of a line's sessions, shortened because a card server may report a name of any length. */
function Protocols({ client }: { client: Client }) {
  const protocols = protocolsOf(client);
  if (protocols === null) return '–';
  return (
    <div className="truncate" title={isolate(protocols)}>
      <TypedText>{protocols}</TypedText>
    </div>
  );
}

/** The first network, and the number of further ones. */
function networksOf({ sessions }: Client): string | null {
  const [first, ...more] = new Set(sessions.flatMap(({ network }) => network ?? []));
  if (first === undefined) return null;
  return more.length > 0 ? `${first} +${more.length}` : first;
}

function Since({ client: { since } }: { client: Client }) {
  const { i18n } = useTranslation();
  const lengthText = useLengthText();
  if (since === null) return null;
  const at = Date.parse(since);
  const now = Date.now();
  // The time of another day is shown with the date, which leaves no room for the duration.
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return (
    <time dateTime={since}>
      {formatSince(at, i18n.language)}{' '}
      {isToday && <span className="text-text-2">{lengthText(now - at)}</span>}
    </time>
  );
}

function Refused({ client }: { client: Client }) {
  const { t } = useTranslation();
  const value = t('number', { value: client.requests_refused });
  if (!isRefusedOften(client)) return value;
  return <span className="text-warning-fg type-strong">{value}</span>;
}

function Connections({ client: { connections: count } }: { client: Client }) {
  const { t } = useTranslation('clients');
  return (
    <div className="inline-flex items-center gap-2">
      <OnlineDot />
      {t('presence.connections', { count })}
    </div>
  );
}

function About({ client }: { client: Client }) {
  const { t: own, i18n } = useTranslation('servers');
  const { since } = client;
  const time = since && formatSince(Date.parse(since), i18n.language);
  const parts = [protocolsOf(client), networksOf(client), time && own('awaited.since', { time })];
  return <span className="text-text-2 type-caption">{parts.filter(Boolean).join(' · ')}</span>;
}

function Requests({ client }: { client: Client }) {
  const { t } = useTranslation('clients');
  const { requests_ok, requests_refused: refused } = client;
  const count = requests_ok + refused;
  if (!isRefusedOften(client))
    return <span className="text-text-2 type-caption">{t('requests', { count })}</span>;
  return <span className="text-warning-fg type-strong">{t('refusedOf', { count, refused })}</span>;
}

/**
 * The button that ends the sessions of a line. It does not ask for confirmation, because the line can reconnect
 * immediately.
 */
export function Actions({ row: { line_id, username } }: { row: Client }) {
  const { t } = useTranslation('clients');
  const findingText = useFindingText();
  const end = useCommand(endSessions, {
    params: { id: line_id },
    refreshes: ['presence'],
    isRepeatable: true,
    done: ({ ended, finding }) => {
      if (ended > 0 || !finding) results.success(t('ended', { username }));
      else results.warning(t('described', { label: username, value: findingText(finding) }));
    },
  });
  return (
    <RowActions>
      <Button
        size={useRowButtonSize()}
        variant="text"
        aria-label={t('endOf', { username })}
        pending={end.isPending}
        onClick={() => void end.send()}
      >
        {t('presence.endSession')}
      </Button>
    </RowActions>
  );
}
