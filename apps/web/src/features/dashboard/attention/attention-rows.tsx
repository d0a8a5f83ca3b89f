import type { TopUp } from '@linekeeper/contract/credits/top-ups.ts';
import type { AccountOutOfCredits } from '@linekeeper/contract/dashboard.ts';
import { isNoAccess } from '@linekeeper/contract/findings.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { type Server, testServer } from '@linekeeper/contract/servers/servers.ts';
import type { Push } from '@linekeeper/contract/servers/sync.ts';
import type { Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { Link, type LinkProps } from '@tanstack/react-router';
import {
  CalendarClock,
  ClockAlert,
  CloudAlert,
  Coins,
  MessageSquare,
  ServerOff,
  TriangleAlert,
  Wallet,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { useFindingText } from '../../../shared/i18n/use-finding-text.ts';
import { LineLink } from '../../../shared/lines/line-link.tsx';
import { useRename } from '../../../shared/lines/name-problem.tsx';
import { formerState } from '../../../shared/lines/state.ts';
import { useRetrySync } from '../../../shared/lines/use-retry-sync.ts';
import { ReadAgainButton } from '../../../shared/not-taken/read-again-button.tsx';
import { isNotTaken } from '../../../shared/not-taken/use-not-taken-texts.ts';
import { results } from '../../../shared/state/results.ts';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { IconTile } from '../../../shared/ui/icon-tile.tsx';
import { TimeAgo } from '../../../shared/ui/timestamp.tsx';
import { Row, Stack } from '../../../shared/ui/vocabulary.tsx';
import styles from '../dashboard.module.css';

interface RowProps {
  icon: ReactNode;
  tone: 'warning' | 'error' | 'info';
  title: string;
  link?: LinkProps;
  /** Instead of the link, the line that the row is about. */
  lineId?: string;
  caption: ReactNode;
  action: ReactNode;
}

export function AttentionRow({ icon, tone, title, link, lineId, caption, action }: RowProps) {
  return (
    <Row as="li" gap={16} phoneGap={12}>
      <IconTile tone={tone} className="only-wide">
        {icon}
      </IconTile>
      <Stack as="span" grow wraps className={styles.texts}>
        {lineId ? (
          <LineLink id={lineId} className={styles.name}>
            {title}
          </LineLink>
        ) : (
          <Link {...link} className={styles.name}>
            {title}
          </Link>
        )}
        <small>{caption}</small>
      </Stack>
      {action}
    </Row>
  );
}

/** A line that is not on its server, or not as it should be. */
export function FailedLine({ line }: { line: Line }) {
  const { t } = useTranslation('dashboard');
  const findingText = useFindingText();
  const { retry, isPending } = useRetrySync(line);
  const { username, on_server, sync_finding } = line;
  const former = formerState(line);
  const link = { to: '/users/$id', params: { id: line.id } } as const;
  const { works_as = '', works_on = '' } = sync_finding?.data ?? {};
  return (
    <AttentionRow
      icon={<CloudAlert size={20} />}
      tone="warning"
      title={t(`attention.${former ?? (on_server ? 'changeNotOnServer' : 'notOnServer')}`, {
        ...{ username, name: works_as, server: works_on },
      })}
      lineId={line.id}
      caption={findingText(sync_finding)}
      action={
        former ? (
          // A new attempt cannot help while the name is the operator's; the line's page has the way back.
          <ButtonLink
            {...link}
            size="small"
            aria-label={t('attention.reviewLine', { name: username })}
          >
            {t('attention.review')}
          </ButtonLink>
        ) : (
          <Button
            size="small"
            aria-label={t('line.sync.retryOf', { username })}
            pending={isPending}
            onClick={() => void retry()}
          >
            {t('line.sync.retry')}
          </Button>
        )
      }
    />
  );
}

/** A line whose name is longer than a CCcam client sends. */
export function LongName({ line }: { line: Line }) {
  const { t } = useTranslation('dashboard');
  const { label, ...rename } = useRename(line);
  return (
    <AttentionRow
      icon={<TriangleAlert size={20} />}
      tone="warning"
      title={t('attention.longName', { username: line.username })}
      lineId={line.id}
      caption={line.name_problem && t(`line.name.${line.name_problem}`)}
      action={
        <Button {...rename} size="small" aria-label={label}>
          {t('line.name.rename')}
        </Button>
      }
    />
  );
}

/** A name that its card server may still have. */
export function FailedDeletion({ push }: { push: Push }) {
  const { t } = useTranslation('dashboard');
  const findingText = useFindingText();
  const { username, server_name } = push;
  const names = { username, server: server_name };
  const link = {
    to: '/cccam-servers/sync',
    search: { q: username, state: 'failed', operation: 'delete' },
  } as const;
  return (
    <AttentionRow
      icon={<CloudAlert size={20} />}
      tone="warning"
      title={t('attention.notDeleted', names)}
      link={link}
      caption={push.finding && findingText(push.finding)}
      action={
        <ButtonLink {...link} size="small" aria-label={t('attention.reviewDeletion', names)}>
          {t('attention.review')}
        </ButtonLink>
      }
    />
  );
}

/** Without lines on it: of a server with lines, the strip above the page tells. */
export function ServerInError({ server }: { server: Server }) {
  const { t } = useTranslation('dashboard');
  const findingText = useFindingText();
  const { server_name: name, status_finding: cause } = server;
  const isAccess = Boolean(cause && isNoAccess(cause));
  const test = useCommand(testServer, {
    params: { id: server.id },
    refreshes: ['servers'],
    waits: true,
    isRepeatable: true,
    done: ({ status, finding }) => {
      if (status === 'active') results.success(t('attention.answers', { name }));
      else results.warning(t('attention.serverError', { name }), { detail: findingText(finding) });
    },
  });
  return (
    <AttentionRow
      icon={<ServerOff size={20} />}
      tone="error"
      title={t(isAccess ? 'attention.serverUnchanged' : 'attention.serverError', { name })}
      link={{ to: '/cccam-servers/$id', params: { id: server.id } }}
      caption={[
        cause && findingText(cause),
        server.deletions_due > 0 && t('attention.stillThere', { count: server.deletions_due }),
      ]
        .filter(Boolean)
        .join(' · ')}
      action={
        <Button
          size="small"
          aria-label={t('attention.testOf', { name })}
          pending={test.isPending}
          onClick={() => void test.send()}
        >
          {t('attention.test')}
        </Button>
      }
    />
  );
}

const severalRows = {
  lines: {
    icon: <CloudAlert size={20} />,
    tone: 'warning',
    link: { to: '/users/all', search: { sync: 'failed' } },
  },
  deletions: {
    icon: <CloudAlert size={20} />,
    tone: 'warning',
    link: { to: '/cccam-servers/sync', search: { state: 'failed', operation: 'delete' } },
  },
  topUps: {
    icon: <Wallet size={20} />,
    tone: 'info',
    link: { to: '/payments/top-ups', search: { status: 'pending', method: 'transfer' } },
  },
  tickets: {
    icon: <MessageSquare size={20} />,
    tone: 'info',
    link: { to: '/tickets', search: { unread: true } },
  },
  outOfCredits: {
    icon: <Coins size={20} />,
    tone: 'warning',
    link: { to: '/resellers', search: { no_credits: true } },
  },
  longNames: {
    icon: <TriangleAlert size={20} />,
    tone: 'warning',
    link: { to: '/users/all', search: { long_name: true } },
  },
} as const;
export type CauseKind = keyof typeof severalRows;

interface SeveralRowsProps {
  kind: CauseKind;
  count: number;
  /** Some of them. */
  names: readonly string[];
}

/** Several things of one cause, as one row that leads to all of them. */
export function SeveralRows({ kind, count, names }: SeveralRowsProps) {
  const { t } = useTranslation('dashboard');
  const { icon, tone, link } = severalRows[kind];
  const title = t(`attention.several.${kind}`, { count });
  return (
    <AttentionRow
      icon={icon}
      tone={tone}
      title={title}
      link={link}
      caption={[...names.map(isolate), ...(count > names.length ? ['…'] : [])].join(', ')}
      action={
        <ButtonLink {...link} size="small" aria-label={`${t('attention.show')}: ${title}`}>
          {t('attention.show')}
        </ButtonLink>
      }
    />
  );
}

/** A server that answers, and whose card server does not take its changes or has another day. */
export function ServerWithFinding({ server }: { server: Server }) {
  const { t } = useTranslation('dashboard');
  const findingText = useFindingText();
  const name = isolate(server.server_name);
  const link = { to: '/cccam-servers/$id', params: { id: server.id } } as const;
  const { reload, day_finding } = server;
  if (reload && isNotTaken(server)) {
    return (
      <AttentionRow
        icon={<ClockAlert size={20} />}
        tone="warning"
        title={
          reload.waiting > 0
            ? t('attention.notTaken', { name, count: reload.waiting })
            : `${name}: ${t('notTaken.failing')}`
        }
        link={link}
        caption={findingText(reload.finding)}
        action={<ReadAgainButton server={server} />}
      />
    );
  }
  return (
    <AttentionRow
      icon={<CalendarClock size={20} />}
      tone="warning"
      title={t('attention.anotherDay', { name })}
      link={link}
      caption={day_finding && findingText(day_finding)}
      action={
        <ButtonLink {...link} size="small" aria-label={t('attention.reviewServer', { name })}>
          {t('attention.review')}
        </ButtonLink>
      }
    />
  );
}

export function UnreadTicket({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation('dashboard');
  const { id, number, title, last_writer_name, updated_at } = ticket;
  const link = { to: '/tickets/$id', params: { id } } as const;
  return (
    <AttentionRow
      icon={<MessageSquare size={20} />}
      tone="info"
      title={t('attention.ticket', { number, title })}
      link={link}
      caption={
        <>
          {isolate(last_writer_name)}
          {' · '}
          <TimeAgo value={updated_at} />
        </>
      }
      action={
        <ButtonLink {...link} size="small" aria-label={t('attention.replyTo', { number })}>
          {t('attention.reply')}
        </ButtonLink>
      }
    />
  );
}

/** An account that cannot renew what expires soon. */
export function OutOfCredits({ account }: { account: AccountOutOfCredits }) {
  const { t } = useTranslation('dashboard');
  const { account_id, name, lines } = account;
  const link = { to: '/accounts/$id', params: { id: account_id } } as const;
  return (
    <AttentionRow
      icon={<Coins size={20} />}
      tone="warning"
      title={t('attention.outOfCredits', { name })}
      link={link}
      caption={t('attention.linesEnd', { count: lines })}
      action={
        <ButtonLink {...link} size="small" aria-label={t('attention.addCreditsTo', { name })}>
          {t('attention.addCredits')}
        </ButtonLink>
      }
    />
  );
}

export function WaitingTopUp({ topUp }: { topUp: TopUp }) {
  const { t } = useTranslation('dashboard');
  const { number, account_name, account_email, credits, created_at } = topUp;
  const link = {
    to: '/payments/top-ups',
    search: { q: number, status: 'pending', method: 'transfer' },
  } as const;
  return (
    <AttentionRow
      icon={<Wallet size={20} />}
      tone="info"
      title={t('attention.topUp', {
        name: account_name || account_email,
        count: credits,
      })}
      link={link}
      caption={
        <>
          {number}
          {' · '}
          <TimeAgo value={created_at} />
        </>
      }
      action={
        <ButtonLink {...link} size="small" aria-label={t('attention.reviewOf', { number })}>
          {t('attention.review')}
        </ButtonLink>
      }
    />
  );
}
