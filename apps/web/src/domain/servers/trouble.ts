import { type Finding, isNoAccess } from '@linekeeper/contract/findings.ts';
import type { Outage } from '@linekeeper/contract/servers/outages.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';

/** The kinds of trouble with a server, each with its level and the first remedy. The level info is not an alarm. */
const kinds = {
  noAnswer: { tone: 'error', way: 'test' },
  noAccess: { tone: 'error', way: 'test' },
  lost: { tone: 'warning', way: 'restore' },
  keptByHand: { tone: 'warning', way: 'takeOver' },
  notLoaded: { tone: 'warning', way: 'readAgain' },
  dayHeld: { tone: 'warning', way: 'confirmDay' },
  anotherDay: { tone: 'warning', way: 'review' },
  untested: { tone: 'info', way: 'test' },
  nobodyTells: { tone: 'info', way: 'review' },
} as const;

export type TroubleCause = keyof typeof kinds;

interface About {
  finding: Finding | null;
  /** Number of lines or changes concerned. */
  count: number;
  since: string | null;
  /** The effect on customers: their lines keep working, cannot connect either, or it is unknown. */
  customers: 'goOn' | 'portToo' | 'portUnknown';
}

const trouble = (cause: TroubleCause, about: Partial<About>) => ({
  ...{ cause, finding: null, count: 0, since: null, customers: 'goOn' as const },
  ...kinds[cause],
  ...about,
});

export type Trouble = About & ReturnType<typeof trouble>;

/** The facts about a server that a reader may see: its status for a seller, everything for an administrator. */
type KnownServer = Pick<Server, 'status'> & Partial<Server>;

/** All troubles of a server, the most urgent first. */
export function troublesOf(server: KnownServer): Trouble[] {
  const { status, reload, day_finding, accounts_missing = 0, kept_by_hand = 0 } = server;
  const tested = server.status_finding ?? null;
  const isUnset = reload?.finding?.data.cause === 'NOT_CONFIGURED';
  return [
    status === 'error' &&
      away({
        finding: tested,
        since: server.last_connection ?? null,
        no_access: tested !== null && isNoAccess(tested),
        port_answers: tested?.data.port_answers ?? null,
      }),
    accounts_missing > 0 && trouble('lost', { count: accounts_missing }),
    kept_by_hand > 0 && trouble('keptByHand', { count: kept_by_hand }),
    isNotLoaded(server) &&
      trouble('notLoaded', {
        finding: reload?.finding,
        count: reload?.waiting,
        since: notLoadedSince(reload),
      }),
    Boolean(day_finding) &&
      trouble(day_finding?.code === 'DAY_HELD' ? 'dayHeld' : 'anotherDay', {
        finding: day_finding,
      }),
    status === 'inactive' && trouble('untested', { finding: tested }),
    isUnset && !isNotLoaded(server) && trouble('nobodyTells', { finding: reload?.finding }),
  ].filter((one) => one !== false);
}

/** The trouble of a server that does not respond to the panel, or does not accept changes. */
function away({ no_access, port_answers, finding, since }: Away): Trouble {
  if (no_access) return trouble('noAccess', { finding, since });
  const customers = port_answers === false ? 'portToo' : 'portUnknown';
  return trouble('noAnswer', { finding, since, customers });
}

type Away = Pick<Outage, 'no_access' | 'port_answers' | 'finding'> & Pick<About, 'since'>;

/** The trouble of a server that is away, for accounts that only see its outage. */
export const troubleOfOutage = (outage: Outage): Trouble => ({
  ...away(outage),
  count: outage.lines,
});

/** The most urgent problem of a server, which is the only one in lists and cards; undefined if there is none. */
export const troubleOf = (server: KnownServer): Trouble | undefined => troublesOf(server)[0];

/**
 * True if the card server has failed to load changes, or some are still pending. False if nothing is pending, even if
 * no reload is configured.
 */
export function isNotLoaded({ reload }: Pick<KnownServer, 'reload'>): boolean {
  return Boolean(reload?.finding && (reload.waiting > 0 || reload.ok === false));
}

/** The time of the card server's last reload or, if there was none, the time since which changes are pending. */
export const notLoadedSince = (reload: KnownServer['reload']): string | null =>
  reload?.ok_at ?? reload?.since ?? null;
