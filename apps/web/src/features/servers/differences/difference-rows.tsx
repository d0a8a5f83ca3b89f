import type { Server } from '@linekeeper/contract/servers/servers.ts';
import { CalendarDays, UserPlus, UserRound, UserX } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMend } from '#features/servers/queries.ts';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';

export interface Difference {
  kind: 'missing' | 'different' | 'suspended' | 'unknown' | 'byHand' | 'otherPanel';
  username: string;
  /** The day on each side, if the two differ. */
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

/** Kinds of differences that the panel repairs by sending its own state. */
const sent: readonly Difference['kind'][] = ['missing', 'different', 'suspended'];
/** Kinds of differences whose accounts can become lines. */
const taken: readonly Difference['kind'][] = ['unknown', 'byHand', 'otherPanel'];

interface DifferenceRowsProps {
  server: Server;
  rows: readonly Difference[];
  /** The number of differences, including those that are not listed. */
  count: number;
}

/** The list of accounts that differ, with the state on each side. */
export function DifferenceRows({ server, rows, count }: DifferenceRowsProps) {
  const { t } = useTranslation('servers');
  return (
    <ul className="divided [&>li]:grid [&>li]:grid-cols-[40px_minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_184px] [&>li]:gap-y-2 [&>li]:gap-x-4 [&>li]:items-center [&>li]:py-3 [&>li]:px-0 [&>li]:small-tablet:grid-cols-[40px_minmax(0,1fr)_minmax(0,1fr)]">
      {rows.map((row) => (
        <DifferenceRow key={`${row.kind} ${row.username}`} server={server} row={row} />
      ))}
      {count > rows.length && <li>{t('more', { count: count - rows.length })}</li>}
    </ul>
  );
}

function DifferenceRow({ server, row }: { server: Server; row: Difference }) {
  const { t } = useTranslation('servers');
  const { kind, username } = row;
  const { icon: Icon, tone } = looks[kind];
  const sides = {
    missing: { panel: t('compare.has.present'), server: t('compare.has.none') },
    different: { panel: row.panel ?? '', server: row.server ?? t('compare.noDate') },
    suspended: { panel: t('line.status.suspended'), server: t('compare.has.present') },
    unknown: { panel: t('compare.has.none'), server: t('compare.has.present') },
    byHand: { panel: t('compare.has.none'), server: t('compare.has.present') },
    otherPanel: { panel: t('compare.has.none'), server: t('compare.has.present') },
  }[kind];
  return (
    <li>
      <IconTile tone={tone}>
        <Icon size={20} />
      </IconTile>
      <div className="min-w-0 wrap-anywhere small-tablet:col-[2/-1]">
        <p className="type-strong">
          <TypedText>{username}</TypedText>
        </p>
        <p className="text-text-2 type-caption">{t(`compare.kind.${kind}`)}</p>
      </div>
      <Side name={t('field.panel')} value={sides.panel} />
      <Side name={t('field.server')} value={sides.server} />
      <div className="flex items-center flex-wrap gap-2 justify-end phone:*:flex-1 small-tablet:col-[2/-1] small-tablet:justify-start phone:col-span-full">
        {taken.includes(kind) && <TakeOver server={server} username={username} />}
        {kind === 'unknown' && <Remove server={server} username={username} />}
        {sent.includes(kind) && <SendAgain server={server} username={username} />}
      </div>
    </li>
  );
}

interface ActionsProps {
  server: Server;
  username: string;
}

function SendAgain({ server, username }: ActionsProps) {
  const { t } = useTranslation('servers');
  const mend = useMend(server, { waits: true });
  return (
    <Button
      size="small"
      pending={mend.isPending}
      aria-label={t('actionOf', { action: t('compare.sendAgain'), name: username })}
      onClick={() => void mend.send({ username, remove_unknown: false })}
    >
      {t('compare.sendAgain')}
    </Button>
  );
}

/** The button that adopts an unknown account as a line. */
function TakeOver({ server, username }: ActionsProps) {
  const { t } = useTranslation('servers');
  return (
    <ButtonLink
      to="/cccam-servers/sync"
      search={{ tab: 'orphans', server: server.id, q: username }}
      size="small"
      aria-label={t('actionOf', { action: t('compare.takeOver'), name: username })}
    >
      {t('compare.takeOver')}
    </ButtonLink>
  );
}

/** The button that removes an unknown account, except the operator's own. */
function Remove({ server, username }: ActionsProps) {
  const { t } = useTranslation('servers');
  const [isRemoving, setRemoving] = useState(false);
  const mend = useMend(server, { waits: true });
  return (
    <>
      <Button
        size="small"
        aria-label={t('actionOf', { action: t('recurring.remove'), name: username })}
        onClick={() => setRemoving(true)}
      >
        {t('recurring.remove')}
      </Button>
      {isRemoving && (
        <ConfirmAction
          command={mend}
          content={{ username, remove_unknown: true }}
          tone="danger"
          title={t('compare.removeTitle', { username, server: server.server_name })}
          text={t('compare.removeText')}
          confirmLabel={t('recurring.remove')}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}

function Side({ name, value }: { name: string; value: string }) {
  return (
    <p className="flex flex-col small-tablet:nth-3:col-2 phone:nth-3:col-[1/3]">
      <span className="text-text-2 type-caption">{name}</span>
      <b className="type-strong">{value}</b>
    </p>
  );
}
