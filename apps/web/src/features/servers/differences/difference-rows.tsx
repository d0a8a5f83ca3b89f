import { mendServer } from '@linekeeper/contract/servers/compare.ts';
import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { CalendarDays, UserPlus, UserRound, UserX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Caption, Divided, Row, Strong, Text } from '#kit/ui/vocabulary.tsx';
import { results } from '#platform/state/results.ts';
import styles from './differences.module.css';

export interface Difference {
  kind: 'missing' | 'different' | 'suspended' | 'unknown' | 'byHand' | 'otherPanel';
  username: string;
  /** The day that each side has, where they differ in it. */
  panel?: string;
  server?: string | null;
}

const looks = {
  missing: { icon: UserX, tone: 'error' },
  different: { icon: CalendarDays, tone: 'warning' },
  suspended: { icon: UserRound, tone: 'warning' },
  unknown: { icon: UserPlus, tone: 'neutral' },
  byHand: { icon: UserPlus, tone: 'neutral' },
  otherPanel: { icon: UserPlus, tone: 'neutral' },
} as const;

/** Kinds that the panel puts right by what it has. */
const sent: readonly Difference['kind'][] = ['missing', 'different', 'suspended'];
/** Kinds that can become lines. */
const taken: readonly Difference['kind'][] = ['unknown', 'byHand', 'otherPanel'];

interface DifferenceRowsProps {
  server: Server;
  rows: readonly Difference[];
  /** Also of those that are not listed. */
  count: number;
}

/** Each account that differs, with what either side has. */
export function DifferenceRows({ server, rows, count }: DifferenceRowsProps) {
  const { t } = useTranslation('servers');
  return (
    <Divided className={styles.rows}>
      {rows.map((row) => (
        <DifferenceRow key={`${row.kind} ${row.username}`} server={server} row={row} />
      ))}
      {count > rows.length && <li>{t('compare.more', { count: count - rows.length })}</li>}
    </Divided>
  );
}

function DifferenceRow({ server, row }: { server: Server; row: Difference }) {
  const { t } = useTranslation('servers');
  const { kind, username } = row;
  const { icon: Icon, tone } = looks[kind];
  const sides = {
    missing: { panel: t('compare.has.present'), server: t('compare.has.none') },
    different: { panel: row.panel ?? '', server: row.server ?? t('compare.noDate') },
    suspended: { panel: t('compare.has.suspended'), server: t('compare.has.present') },
    unknown: { panel: t('compare.has.none'), server: t('compare.has.present') },
    byHand: { panel: t('compare.has.none'), server: t('compare.has.present') },
    otherPanel: { panel: t('compare.has.none'), server: t('compare.has.present') },
  }[kind];
  return (
    <li>
      <IconTile tone={tone}>
        <Icon size={20} />
      </IconTile>
      <Text as="div" wraps>
        <Strong as="p">
          <TypedText>{username}</TypedText>
        </Strong>
        <Caption as="p">{t(`compare.kind.${kind}`)}</Caption>
      </Text>
      <Side name={t('compare.panel')} value={sides.panel} />
      <Side name={t('compare.onServer')} value={sides.server} />
      <Row gap={8} wrap className={styles.actions}>
        {taken.includes(kind) && <TakeOver server={server} username={username} />}
        {kind === 'unknown' && <Remove server={server} username={username} />}
        {sent.includes(kind) && <SendAgain server={server} username={username} />}
      </Row>
    </li>
  );
}

interface ActionsProps {
  server: Server;
  username: string;
}

/** Mends the difference of one account. */
function useMendOne(server: Server) {
  const { t } = useTranslation('servers');
  return useCommand(mendServer, {
    params: { id: server.id },
    refreshes: ['servers', 'server-comparison'],
    waits: true,
    done: ({ queued, removed }) =>
      results.success(t('compare.queued', { count: queued + removed })),
  });
}

function SendAgain({ server, username }: ActionsProps) {
  const { t } = useTranslation('servers');
  const mend = useMendOne(server);
  return (
    <Button
      size="small"
      pending={mend.isPending}
      aria-label={t('compare.sendAgainOf', { username })}
      onClick={() => void mend.send({ username, remove_unknown: false })}
    >
      {t('compare.sendAgain')}
    </Button>
  );
}

/** An account that the panel does not know becomes a line. */
function TakeOver({ server, username }: ActionsProps) {
  const { t } = useTranslation('servers');
  return (
    <ButtonLink
      to="/cccam-servers/sync"
      search={{ tab: 'orphans', server: server.id, q: username }}
      size="small"
      aria-label={t('compare.takeOverOf', { username })}
    >
      {t('compare.takeOver')}
    </ButtonLink>
  );
}

/** An account that the panel does not know, and that is not the operator's own, goes. */
function Remove({ server, username }: ActionsProps) {
  const { t } = useTranslation('servers');
  const [isRemoving, setRemoving] = useState(false);
  const mend = useMendOne(server);
  return (
    <>
      <Button
        size="small"
        aria-label={t('compare.removeOf', { username })}
        onClick={() => setRemoving(true)}
      >
        {t('compare.remove')}
      </Button>
      {isRemoving && (
        <ConfirmAction
          command={mend}
          content={{ username, remove_unknown: true }}
          tone="danger"
          title={t('compare.removeTitle', { username, server: server.server_name })}
          text={t('compare.removeText')}
          confirmLabel={t('compare.remove')}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}

function Side({ name, value }: { name: string; value: string }) {
  return (
    <p className={styles.side}>
      <Caption>{name}</Caption>
      <Strong>{value}</Strong>
    </p>
  );
}
