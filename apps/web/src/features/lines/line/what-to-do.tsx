import { editLine } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import {
  ArrowLeftRight,
  CirclePlay,
  Clock,
  type LucideIcon,
  MessageCircle,
  PencilLine,
  RefreshCw,
  Server,
  Trash2,
  Tv,
  Undo2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { OpenButton } from '#domain/lines/actions.tsx';
import { useOpenLine } from '#domain/lines/line-place.ts';
import { ShareButton } from '#domain/lines/share-button.tsx';
import type { LineStateName, ReceiverState } from '#domain/lines/state.ts';
import { useRetrySync } from '#domain/lines/use-retry-sync.ts';
import { ReadAgainButton } from '#domain/servers/read-again-button.tsx';
import { useAwayText } from '#domain/servers/use-away-text.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { Button, type ButtonLook } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatSince } from '#platform/format/format-moment.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { AskToMove } from './quiet-actions.tsx';
import type { LineFactsShown } from './use-line-facts.ts';

type Way =
  | 'wait'
  | 'waitForServer'
  | 'tryAgain'
  | 'deliver'
  | 'move'
  | 'ask'
  | 'readAgain'
  | 'openServer'
  | 'tellAdmin'
  | 'rename'
  | 'goBack'
  | 'resume'
  | 'undo'
  | 'delete'
  | 'tell'
  | 'compare';

/** The remedies for each state, the best first. */
const waysOut: Partial<Record<LineStateName, readonly Way[]>> = {
  away: ['waitForServer', 'move', 'ask', 'tell'],
  awayLine: ['wait', 'move', 'ask', 'tell', 'undo'],
  awayChange: ['wait', 'move', 'ask', 'tell'],
  refused: ['tryAgain', 'rename', 'move', 'undo'],
  nameTaken: ['rename', 'undo', 'delete', 'tryAgain'],
  refusedChange: ['tryAgain'],
  lost: ['deliver'],
  worksAs: ['goBack', 'rename', 'tryAgain'],
  worksOn: ['move', 'ask', 'tryAgain'],
  formerStays: ['tryAgain'],
  notRead: ['readAgain', 'tellAdmin'],
  notKnown: ['openServer', 'tellAdmin'],
  longName: ['rename'],
  suspended: ['resume'],
};

const isOn: readonly LineStateName[] = ['works', 'trial', 'today'];
/** The remedies for a receiver that cannot connect, if its server has no problem. */
const receiverWays: Partial<Record<ReceiverState, readonly Way[]>> = {
  never: ['compare'],
  oldPassword: ['compare'],
};

const icons = {
  wait: Clock,
  waitForServer: Clock,
  readAgain: RefreshCw,
  openServer: Server,
  tellAdmin: MessageCircle,
  compare: Tv,
  tryAgain: RefreshCw,
  deliver: RefreshCw,
  tell: MessageCircle,
  move: ArrowLeftRight,
  ask: ArrowLeftRight,
  rename: PencilLine,
  goBack: Undo2,
  resume: CirclePlay,
  undo: Undo2,
  delete: Trash2,
} as const satisfies Record<Way, LucideIcon>;

/**
 * The remedies for the state of a line that the signed-in account may use. Some, such as moving the line or having its
 * server load its files, are for administrators; other accounts get remedies that ask an administrator.
 */
export function useWaysOut(line: Line, { name, receiver }: LineFactsShown): readonly Way[] {
  const { is_admin } = useMe();
  const ways = waysOut[name] ?? (isOn.includes(name) && receiver ? receiverWays[receiver] : []);
  return (ways ?? []).filter((way) => {
    if (way === 'move' || way === 'readAgain' || way === 'openServer') return is_admin;
    if (way === 'ask' || way === 'tellAdmin') return !is_admin;
    return way !== 'resume' || line.suspension?.can_resume === true;
  });
}

const beside: readonly Way[] = [
  'wait',
  'waitForServer',
  'openServer',
  'tellAdmin',
  'tell',
  'compare',
  'undo',
  'delete',
];

/** The remedy that comes before renewing the line; undefined if nothing is wrong or none helps. */
export const bestOf = (ways: readonly Way[]): Way | undefined =>
  ways.find((way) => !beside.includes(way));

interface WhatToDoProps {
  line: Line;
  facts: LineFactsShown;
  /** A remedy whose button is at the foot of the page. */
  atFoot?: Way | undefined;
}

export function WhatToDo({ line, facts, atFoot }: WhatToDoProps) {
  const { t } = useTranslation('line');
  const ways = useWaysOut(line, facts);
  if (ways.length === 0) return null;
  return (
    <section aria-label={t('todo.title')}>
      <h2 className="mb-2 type-strong">{t('todo.title')}</h2>
      <ul className="divided border border-divider-strong rounded-pop [&>li]:py-3 [&>li]:px-4">
        {ways.map((way) => (
          <WayOut key={way} way={way} line={line} facts={facts}>
            {way !== atFoot && <WayButton way={way} line={line} facts={facts} />}
          </WayOut>
        ))}
      </ul>
    </section>
  );
}

interface WayProps extends WhatToDoProps {
  way: Way;
}

function WayOut({ way, line, facts, children }: WayProps & { children: ReactNode }) {
  const { t, i18n } = useTranslation('line');
  const server = isolate(facts.serverName);
  const away = useAwayText(line.server_id);
  const join = (...parts: unknown[]) => parts.filter(Boolean).join(' ');
  const nextTry =
    facts.next_try_at &&
    t('todo.nextTry', { time: formatSince(Date.parse(facts.next_try_at), i18n.language) });
  const texts: Partial<Record<Way, string>> = {
    wait: join(t('todo.waitText', { server }), nextTry, away),
    waitForServer: join(t('todo.waitForServerText', { server }), away),
    compare: t('todo.compareText'),
    tell: t('quoted', { text: t('todo.message', { server: facts.serverName }) }),
    move: t('todo.moveText'),
    undo: t('todo.undoText'),
    delete: t('todo.deleteText'),
  };
  const text = texts[way];
  const Icon = icons[way];
  return (
    <li className="flex items-center flex-wrap gap-4 phone:gap-3">
      <div className="only-wide">
        <IconTile tone="neutral">
          <Icon size={18} />
        </IconTile>
      </div>
      {/* This minimum width fits the longest word beside a wide button; otherwise the text gets
          its own row. */}
      <div className="flex-[1_1_112px] min-w-0">
        <p className="font-semibold">{t(`todo.${way === 'waitForServer' ? 'wait' : way}`)}</p>
        {text && <p className="text-text-2 type-caption min-w-0 wrap-anywhere">{text}</p>}
      </div>
      {children}
    </li>
  );
}

/** The button of a remedy, beside its text or, as the page's main action, at the foot. */
export function WayButton({ way, line, facts, variant }: WayProps & Pick<ButtonLook, 'variant'>) {
  const { t } = useTranslation('line');
  const opens = { line, variant } as const;
  switch (way) {
    case 'waitForServer':
      return null;
    case 'wait':
    case 'tryAgain':
    case 'deliver':
      return <TryNow {...opens} />;
    case 'tell':
      return <ShareButton getText={() => t('todo.message', { server: facts.serverName })} />;
    case 'ask':
      return <AskToMove {...opens} />;
    case 'readAgain':
      return <ReadAgainButton server={{ id: line.server_id, server_name: facts.serverName }} />;
    case 'openServer':
      return (
        <ButtonLink variant={variant} to="/cccam-servers/$id" params={{ id: line.server_id }}>
          {t('todo.openServer')}
        </ButtonLink>
      );
    case 'tellAdmin':
      return (
        <ButtonLink
          variant={variant}
          to="/tickets/new"
          search={{
            title: t('todo.notReadTitle', { username: line.username, server: facts.serverName }),
            about: line.id,
          }}
        >
          {t('recurring.askAdministrator')}
        </ButtonLink>
      );
    case 'compare':
      return <Compare {...opens} />;
    case 'goBack':
      return <GoBack {...opens} />;
    case 'move':
    case 'rename':
    case 'resume':
    case 'undo':
    case 'delete': {
      const Icon = icons[way];
      return (
        <OpenButton {...opens} action={way} icon={<Icon />}>
          {t(`action.${way}`)}
        </OpenButton>
      );
    }
  }
}

interface WayButtonProps extends Pick<ButtonLook, 'variant'> {
  line: Line;
}

function TryNow({ line, variant }: WayButtonProps) {
  const { t } = useTranslation('line');
  const { retry, isPending } = useRetrySync(line);
  return (
    <Button variant={variant} icon={<RefreshCw />} pending={isPending} onClick={() => void retry()}>
      {t('todo.tryNow')}
    </Button>
  );
}

/** The button that gives a line the name back that works on its server. */
function GoBack({ line, variant }: WayButtonProps) {
  const { t } = useTranslation('line');
  const name = line.sync_finding?.data.works_as ?? '';
  const rename = useCommand(editLine, {
    params: { id: line.id },
    refreshes: ['lines', 'me'],
    doneText: () => t('todo.wentBack', { name: name }),
  });
  return (
    <Button
      variant={variant}
      icon={<Undo2 />}
      pending={rename.isPending}
      onClick={() => void rename.send({ username: name })}
    >
      {t('todo.goBackTo', { name: name })}
    </Button>
  );
}

function Compare({ line, variant }: WayButtonProps) {
  const { t } = useTranslation('line');
  const { open } = useOpenLine();
  return (
    <Button variant={variant} onClick={() => void open(line.id, { part: 'receiver' })}>
      {t('tabs.receiver')}
    </Button>
  );
}
