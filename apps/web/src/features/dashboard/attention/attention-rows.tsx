import type { TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import type {
  AccountOutOfCredits,
  AutoRenewals,
  OnlineFigures,
} from '@linekeeper/contract/dashboard.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import type { customersToTell } from '@linekeeper/contract/lines/customers.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { type Server, testServer } from '@linekeeper/contract/servers/servers.ts';
import type { Push } from '@linekeeper/contract/servers/sync.ts';
import type { Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import type { LinkProps } from '@tanstack/react-router';
import {
  CalendarClock,
  ClockAlert,
  CloudAlert,
  Coins,
  type LucideIcon,
  MessageCircleWarning,
  MessageSquare,
  OctagonAlert,
  ServerOff,
  TriangleAlert,
  UserRoundSearch,
  UserRoundX,
  Wallet,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { OpenButton } from '#domain/lines/actions.tsx';
import { formerState } from '#domain/lines/state.ts';
import { useRetrySync } from '#domain/lines/use-retry-sync.ts';
import { ReadAgainButton } from '#domain/servers/read-again-button.tsx';
import type { Trouble, TroubleCause } from '#domain/servers/trouble.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { TimeAgo } from '#kit/ui/timestamp.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatDate, formatSince } from '#platform/format/format-moment.ts';
import { formatShare } from '#platform/i18n/format-share.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { results } from '#platform/state/results.ts';

/** One cause that needs the account's attention. */
export interface AttentionRow {
  key: string;
  tone: 'warning' | 'error' | 'info';
  icon: LucideIcon;
  title: string;
  to: LinkProps;
  /** The line that the row is about, if there is one. */
  lineId?: string;
  caption: ReactNode;
  /** The text of a link to the row's place or to another one, or a button. */
  action: string | { text: string; to: LinkProps } | { button: ReactNode };
}

/** Translations and permissions with which the functions of this file create a row. */
export function useSays() {
  const { t, i18n } = useTranslation('dashboard');
  const { language } = i18n;
  return {
    t,
    language,
    isAdmin: useMe().is_admin,
    findingText: useFindingText(),
    since: (moment: string) =>
      t('attention.since', { time: formatSince(Date.parse(moment), language) }),
  };
}

type Says = ReturnType<typeof useSays>;

const toLine = (id: string) => ({ to: '/users/$id', params: { id } }) as const;
const toServer = (id: string) => ({ to: '/cccam-servers/$id', params: { id } }) as const;
const joined = (...parts: unknown[]) => parts.filter(Boolean).join(' · ');

const serverIcons: Partial<Record<TroubleCause, LucideIcon>> = {
  notLoaded: ClockAlert,
  dayHeld: CalendarClock,
  anotherDay: CalendarClock,
};

function serverTitle({ cause, count }: Trouble, name: string, { t }: Says): string {
  if (cause === 'noAnswer') return t('recurring.notResponding', { name });
  if (cause === 'noAccess') return t('attention.serverUnchanged', { name });
  if (cause !== 'notLoaded') return t('attention.anotherDay', { name });
  if (count > 0) return t('attention.notLoaded', { name, count });
  return `${isolate(name)}: ${t('notLoaded.failing')}`;
}

const serverActions: Partial<Record<Trouble['way'], typeof TestButton>> = {
  test: TestButton,
  readAgain: ReadAgainButton,
};

type ToTell = Reply<typeof customersToTell>['items'][number];

/** Functions that make the row of a single item, by its kind. */
export const rowOf = {
  server: ({ server, trouble }: { server: Server; trouble: Trouble }, says: Says) => {
    const { id, server_name, deletions_due } = server;
    const { tone, finding, cause, way } = trouble;
    const WayOut = serverActions[way];
    const still = tone === 'error' && deletions_due > 0;
    return {
      key: `${cause} ${id}`,
      tone,
      icon: serverIcons[cause] ?? ServerOff,
      title: serverTitle(trouble, server_name, says),
      to: toServer(id),
      caption: joined(
        finding && says.findingText(finding),
        still && says.t('attention.stillThere', { count: deletions_due }),
      ),
      action: WayOut ? { button: <WayOut server={server} /> } : says.t('attention.review'),
    };
  },
  /** The row of lines that were moved, or whose address changed, until their customers have been notified. */
  toTell: ({ job_id, at, lines, told, seen }: ToTell, { t, since }: Says) => ({
    key: `tell ${job_id}`,
    tone: 'warning',
    icon: MessageCircleWarning,
    title: t('attention.toTell', { count: lines }),
    to: { to: '/users/tell/$id', params: { id: job_id } },
    caption: joined(
      t('attention.told', { count: told }),
      seen > 0 && t('attention.seenThere', { count: seen }),
      since(at),
    ),
    action: t('attention.tell'),
  }),
  /** The row of a server that responds, but does not report its sessions. */
  silent: (server: OnlineFigures['servers'][number], { t, since, findingText, isAdmin }: Says) => {
    const { server_id, server_name, lines, unknown_since, finding } = server;
    return {
      key: `silent ${server_id}`,
      tone: 'warning',
      icon: UserRoundSearch,
      title: t('attention.silent', { name: server_name }),
      to: isAdmin ? toServer(server_id) : { to: '/users/all', search: { server: server_id } },
      caption: joined(
        unknown_since && since(unknown_since),
        t('attention.linesWork', { count: lines }),
        finding && findingText(finding),
      ),
      action: t('bell.open'),
    };
  },
  /** The row of a line with many refused requests, more than usual. */
  refused: (line: OnlineFigures['refusals'][number], { t, language, since, isAdmin }: Says) => {
    const { line_id, username, server_name, owner_name, share } = line;
    return {
      key: `refused ${line_id}`,
      tone: 'warning',
      icon: OctagonAlert,
      title: t('attention.refused', { username, share: formatShare(share, language) }),
      to: toLine(line_id),
      lineId: line_id,
      caption: joined(since(line.since), isolate(server_name), isAdmin && isolate(owner_name)),
      action: {
        text: t('bell.open'),
        to: { ...toLine(line_id), search: { part: 'usage' } },
      },
    };
  },
  /** The row of a line that is not on its server, or not in its wanted state. */
  lines: (line: Line, { t, findingText }: Says) => {
    const { id, username, on_server, sync_finding } = line;
    const former = formerState(line);
    const { works_as = '', works_on = '' } = sync_finding?.data ?? {};
    return {
      key: 'lines',
      tone: 'warning',
      icon: CloudAlert,
      title: t(`attention.${former ?? (on_server ? 'changeNotOnServer' : 'notOnServer')}`, {
        ...{ username, name: works_as, server: works_on },
      }),
      to: toLine(id),
      lineId: id,
      caption: findingText(sync_finding),
      // Another attempt cannot help while the name belongs to the operator; the line's page offers
      // to restore the former name.
      action: former ? t('attention.review') : { button: <RetryButton line={line} /> },
    };
  },
  /** The row of a deleted name that its card server may still have. */
  deletions: ({ username, server_name, finding }: Push, { t, findingText }: Says) => ({
    key: 'deletions',
    tone: 'warning',
    icon: CloudAlert,
    title: t('attention.notDeleted', { username, server: server_name }),
    to: {
      to: '/cccam-servers/sync',
      search: { q: username, state: 'failed', operation: 'delete' },
    },
    caption: finding && findingText(finding),
    action: t('attention.review'),
  }),
  topUps: (topUp: TopUp, { t }: Says) => {
    const { number, account_name, account_email, credits, created_at } = topUp;
    return {
      key: 'topUps',
      tone: 'info',
      icon: Wallet,
      title: t('attention.topUp', { name: account_name || account_email, count: credits }),
      to: {
        to: '/payments/top-ups',
        search: { q: number, status: 'pending', method: 'transfer' },
      },
      caption: (
        <>
          {number}
          {' · '}
          <TimeAgo value={created_at} />
        </>
      ),
      action: t('attention.review'),
    };
  },
  tickets: ({ id, number, title, last_writer_name, updated_at }: Ticket, { t }: Says) => ({
    key: 'tickets',
    tone: 'info',
    icon: MessageSquare,
    title: t('attention.ticket', { number, title }),
    to: { to: '/tickets/$id', params: { id } },
    caption: (
      <>
        {isolate(last_writer_name)}
        {' · '}
        <TimeAgo value={updated_at} />
      </>
    ),
    action: t('action.reply'),
  }),
  /** The row of an account that lacks the credits to renew its next lines. */
  outOfCredits: ({ account_id, name, lines }: AccountOutOfCredits, { t }: Says) => ({
    key: 'outOfCredits',
    tone: 'warning',
    icon: Coins,
    title: t('attention.outOfCredits', { name }),
    to: { to: '/accounts/$id', params: { id: account_id } },
    caption: t('attention.linesEnd', { count: lines }),
    action: t('credits.add'),
  }),
  /** Automatic renewals that the account's credits do not pay. */
  autoRenewals: ({ needed, available, lines, first_line_id }: AutoRenewals, { t }: Says) => ({
    key: 'autoRenewals',
    tone: 'warning',
    icon: Coins,
    title: t('attention.autoRenewals', { count: needed }),
    to: toLine(first_line_id),
    lineId: first_line_id,
    caption: joined(
      t('attention.autoRenewedLines', { count: lines }),
      t('attention.available', { count: available }),
    ),
    action: { text: t('places.pricing'), to: { to: '/payments/pricing' } },
  }),
  /** A line whose name is longer than a CCcam client sends. */
  longNames: (line: Line, { t }: Says) => ({
    key: 'longNames',
    tone: 'warning',
    icon: TriangleAlert,
    title: t('attention.longName', { username: line.username }),
    to: toLine(line.id),
    lineId: line.id,
    caption: line.name_problem && t(`line.name.${line.name_problem}`),
    action: { button: <RenameButton line={line} /> },
  }),
  /** The row of lines that were sold, and whose customers never connected. */
  never: ({ lines, oldest }: OnlineFigures['never_connected'], { t, language }: Says) => ({
    key: 'never',
    tone: 'warning',
    icon: UserRoundX,
    title: t('attention.never', { count: lines }),
    to: {
      to: '/users/all',
      search: { never: true, sold: '3d', status: 'active', sort: 'added_date' },
    },
    caption:
      oldest &&
      t('attention.oldest', {
        // Noon in the reader's own time zone is always on that day.
        day: formatDate(new Date(`${oldest}T12:00:00`).toISOString(), language),
      }),
    action: t('recurring.show'),
  }),
  // biome-ignore lint/suspicious/noExplicitAny: each function has its own type of argument
} as const satisfies Record<string, (about: any, says: Says) => AttentionRow>;

const several = {
  lines: { tone: 'warning', icon: CloudAlert, to: '/users/all', search: { sync: 'failed' } },
  deletions: {
    tone: 'warning',
    icon: CloudAlert,
    to: '/cccam-servers/sync',
    search: { state: 'failed', operation: 'delete' },
  },
  topUps: {
    tone: 'info',
    icon: Wallet,
    to: '/payments/top-ups',
    search: { status: 'pending', method: 'transfer' },
  },
  tickets: { tone: 'info', icon: MessageSquare, to: '/tickets', search: { unread: true } },
  outOfCredits: { tone: 'warning', icon: Coins, to: '/resellers', search: { no_credits: true } },
  longNames: {
    tone: 'warning',
    icon: TriangleAlert,
    to: '/users/all',
    search: { long_name: true },
  },
} as const;

export type CauseKind = keyof typeof several;

interface Several {
  kind: CauseKind;
  count: number;
  /** The names of the first items of `count`. */
  names: readonly string[];
}

/** The row for several items with the same cause, such as five unread tickets. It leads to a list of all of them. */
export function rowOfSeveral({ kind, count, names }: Several, { t }: Says): AttentionRow {
  const { tone, icon, to, search } = several[kind];
  return {
    key: kind,
    tone,
    icon,
    title: t(`attention.several.${kind}`, { count }),
    to: { to, search },
    caption: [...names.map(isolate), ...(count > names.length ? ['…'] : [])].join(', '),
    action: t('recurring.show'),
  };
}

function RetryButton({ line }: { line: Line }) {
  const { t } = useTranslation('dashboard');
  const { retry, isPending } = useRetrySync(line);
  return (
    <Button
      size="small"
      aria-label={t('line.sync.retryOf', { username: line.username })}
      pending={isPending}
      onClick={() => void retry()}
    >
      {t('line.sync.retry')}
    </Button>
  );
}

function RenameButton({ line }: { line: Line }) {
  const { t } = useTranslation('dashboard');
  const label = t('line.name.renameOf', { username: line.username });
  return (
    <OpenButton line={line} action="rename" size="small" aria-label={label}>
      {t('action.rename')}
    </OpenButton>
  );
}

function TestButton({
  server: { id, server_name: name },
}: {
  server: Pick<Server, 'id' | 'server_name'>;
}) {
  const { t } = useTranslation('dashboard');
  const findingText = useFindingText();
  const test = useCommand(testServer, {
    params: { id },
    refreshes: ['servers'],
    waits: true,
    isRepeatable: true,
    done: ({ status, finding }) => {
      if (status === 'active') results.success(t('attention.answers', { name }));
      else
        results.warning(t('recurring.notResponding', { name }), { detail: findingText(finding) });
    },
  });
  return (
    <Button
      size="small"
      aria-label={t('actionOf', { action: t('attention.test'), name })}
      pending={test.isPending}
      onClick={() => void test.send()}
    >
      {t('attention.test')}
    </Button>
  );
}
