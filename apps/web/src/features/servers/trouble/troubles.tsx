import { formatDay } from '@linekeeper/contract/dates.ts';
import {
  confirmServerDay,
  type Reload,
  type Server,
} from '@linekeeper/contract/servers/servers.ts';
import { type TakenOver, takeOverRows } from '@linekeeper/contract/servers/take-over.ts';
import { Link } from '@tanstack/react-router';
import {
  CalendarClock,
  CircleAlert,
  ClockAlert,
  FileCheck,
  Info,
  Send,
  TriangleAlert,
} from 'lucide-react';
import { Fragment, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReadAgainButton } from '#domain/servers/read-again-button.tsx';
import { type Trouble, type TroubleCause, troublesOf } from '#domain/servers/trouble.ts';
import { useAwayText } from '#domain/servers/use-away-text.ts';
import { useMend } from '#features/servers/queries.ts';
import { useShortMoment } from '#features/servers/use-reload-text.ts';
import { useServerProblem } from '#features/servers/use-server-problem.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { PlainList } from '#kit/list/plain-list.tsx';
import { ArticleLink } from '#kit/ui/article-link.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { results } from '#platform/state/results.ts';

const icons = {
  noAnswer: CircleAlert,
  noAccess: CircleAlert,
  lost: TriangleAlert,
  keptByHand: TriangleAlert,
  notLoaded: ClockAlert,
  dayHeld: CalendarClock,
  anotherDay: CalendarClock,
  untested: Info,
  nobodyTells: Info,
} as const satisfies Record<TroubleCause, typeof Info>;

interface TroubleProps {
  server: Server;
  trouble: Trouble;
}

/** Returns the texts, icon and button of a trouble, which a card and a page arrange differently. */
function useTrouble({ server, trouble }: TroubleProps, onQueued?: () => void) {
  const [result, setResult] = useState<TakenOver>();
  const actions: Partial<Record<Trouble['way'], ReactNode>> = {
    restore: <DeliverAgain server={server} onQueued={onQueued} />,
    takeOver: <TakeOverButton server={server} onDone={setResult} />,
    readAgain: <ReadAgainButton server={server} />,
    confirmDay: <ConfirmDay server={server} />,
  };
  return {
    ...useTroubleTexts()(server, trouble),
    Icon: icons[trouble.cause],
    action: actions[trouble.way],
    more: (
      <>
        {trouble.cause === 'notLoaded' && server.reload && <WaitingLines reload={server.reload} />}
        {result && <LeftRows result={result} />}
      </>
    ),
  };
}

/**
 * The most urgent problem on a server's card, instead of its lines online. Its heading takes the
 * focus if the button that was pressed disappears.
 */
export function TroubleOnCard({ headingId, ...props }: TroubleProps & { headingId: string }) {
  const { title, text, Icon, action, more } = useTrouble(props, useFocusLeftTo(headingId));
  return (
    <div
      className="flex items-stretch min-w-0 wrap-anywhere gap-2 text-error-fg type-[600_14px/20px_var(--font)] data-[tone=warning]:text-warning-fg data-[tone=warning]:[&_button]:mt-2 [&+&]:mt-3"
      data-tone={props.trouble.tone}
    >
      <Icon size={18} />
      <div>
        <p>{title}</p>
        <div className="mt-1 text-text-2 type-caption">
          {text && <p>{text}</p>}
          {more}
        </div>
        {action}
      </div>
    </div>
  );
}

interface TroublesProps {
  server: Server;
  /** The causes to show; by default all. */
  only?: readonly TroubleCause[];
}

/** The banners above a server's page, one for each problem, the most urgent first. */
export function Troubles({ server, only }: TroublesProps) {
  return (
    troublesOf(server)
      .filter(({ cause }) => !only || only.includes(cause))
      // An awaited agent has a separate card, which shows whether it responds.
      .filter(({ way }) => way !== 'test' || server.awaited_id === null)
      .map((trouble) => <TroubleBanner key={trouble.cause} server={server} trouble={trouble} />)
  );
}

function TroubleBanner(props: TroubleProps) {
  const { t } = useTranslation('servers');
  const { title, text, Icon, action, more } = useTrouble(props);
  const { server, trouble } = props;
  const { cause, tone, finding } = trouble;
  const away = useAwayText(server.id);
  const isAway = tone === 'error';
  const isUnset = finding?.data.cause === 'NOT_CONFIGURED';
  return (
    <div className="mb-4" role="status">
      <Banner tone={tone} icon={<Icon />} title={title} action={action}>
        {text && <p>{text}</p>}
        {more}
        {isAway && away && <p>{away}</p>}
        {isUnset && <HowToTell />}
        {(isAway || isUnset || cause === 'dayHeld' || cause === 'anotherDay') && (
          <p>
            <ArticleLink title={t('article')} />
          </p>
        )}
      </Banner>
    </div>
  );
}

/** Returns the title and the explanation of a server's problem, with its remedy. */
function useTroubleTexts() {
  const { t } = useTranslation('servers');
  const findingText = useFindingText();
  const serverProblem = useServerProblem();
  const shortMoment = useShortMoment();
  return (server: Server, { cause, finding, count, since }: Trouble) => {
    const { problem, advice } = serverProblem(finding, server);
    const found = finding ? findingText(finding) : '';
    switch (cause) {
      case 'noAnswer':
      case 'noAccess':
        return { title: problem, text: advice };
      case 'lost':
        return { title: t('lost.title', { count }), text: t('lost.advice') };
      case 'keptByHand':
        return { title: t('takeOver.title', { count }), text: t('takeOver.advice') };
      case 'notLoaded':
        return {
          title: count > 0 ? t('notLoaded.title', { count }) : t('notLoaded.failing'),
          text: [found, since && t('notLoaded.since', { time: shortMoment(since) })]
            .filter(Boolean)
            .join(' '),
        };
      case 'untested':
        return {
          title: t('page.state.inactive'),
          text: finding && [problem, advice].filter(Boolean).join(' '),
        };
      case 'nobodyTells':
        return { title: t('nobodyTells.title'), text: found };
      default:
        return { title: t(`notLoaded.${cause}`), text: found };
    }
  };
}

interface DeliverAgainProps {
  server: Server;
  onQueued?: (() => void) | undefined;
}

/** The button that restores accounts which a card server has lost. They count as missing until they are delivered. */
function DeliverAgain({ server, onQueued }: DeliverAgainProps) {
  const { t } = useTranslation('servers');
  const mend = useMend(server, { done: onQueued });
  return (
    <Button
      size="small"
      icon={<Send />}
      pending={mend.isPending}
      onClick={() => void mend.send({ remove_unknown: false })}
    >
      {t('lost.deliver')}
    </Button>
  );
}

/**
 * Moves the focus to the heading when the component disappears after its button was pressed. Call the returned
 * function on the press.
 */
function useFocusLeftTo(headingId: string): () => void {
  const wasPressed = useRef(false);
  useEffect(
    () => () => {
      if (wasPressed.current && document.activeElement === document.body)
        document.getElementById(headingId)?.focus({ preventScroll: true });
    },
    [headingId],
  );
  return () => {
    wasPressed.current = true;
  };
}

interface TakeOverButtonProps {
  server: Server;
  onDone: (result: TakenOver) => void;
}

function TakeOverButton({ server, onDone }: TakeOverButtonProps) {
  const { t } = useTranslation('servers');
  const takeOver = useCommand(takeOverRows, {
    params: { id: server.id },
    refreshes: ['servers'],
    done: (result) => {
      if (result.taken > 0) results.success(t('takeOver.done', { count: result.taken }));
      onDone(result);
    },
  });
  return (
    <Button
      size="small"
      icon={<FileCheck />}
      pending={takeOver.isPending}
      onClick={() => void takeOver.send()}
    >
      {t('takeOver.confirm')}
    </Button>
  );
}

/** Rows that the agent did not take over, each with the reason, or the reason why it was not asked. */
function LeftRows({ result }: { result: TakenOver }) {
  const { t } = useTranslation('servers');
  const findingText = useFindingText();
  const id = useId();
  const { refused, finding } = result;
  return (
    <>
      {finding && <p role="alert">{findingText(finding)}</p>}
      {refused.count > 0 && (
        <section aria-labelledby={id}>
          <p id={id} role="status">
            {t('takeOver.left', { count: refused.count })}
          </p>
          <PlainList labelledBy={id}>
            {refused.items.map(({ username, reason }) => (
              <li key={username}>
                <TypedText>{t(`takeOver.reason.${reason}`, { username })}</TypedText>
              </li>
            ))}
            {refused.count > refused.items.length && (
              <li>{t('more', { count: refused.count - refused.items.length })}</li>
            )}
          </PlainList>
        </section>
      )}
    </>
  );
}

const NAMES_SHOWN = 3;

type Says = 'cannotConnect' | 'stillConnect';

/** The lines that cannot connect yet, or can still connect, until the card server has loaded their changes. */
function WaitingLines({ reload }: { reload: Reload }) {
  const { names, cannot_connect, still_names, still_connect } = reload;
  return (
    <>
      <Names names={still_names} count={still_connect} says="stillConnect" />
      <Names names={names} count={cannot_connect} says="cannotConnect" />
    </>
  );
}

/** The first names, in a sentence with the number of further ones. */
function Names({ names, count, says }: { names: string[]; count: number; says: Says }) {
  const { t } = useTranslation();
  const shown = names.slice(0, NAMES_SHOWN);
  if (shown.length === 0) return null;
  const more = count - shown.length;
  return (
    <p className="mt-1">
      {shown.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <Link
            className="text-inherit font-semibold underline"
            to="/users/all"
            search={{ q: name }}
          >
            <TypedText>{name}</TypedText>
          </Link>
        </Fragment>
      ))}{' '}
      {more > 0
        ? t(
            says === 'cannotConnect' ? 'notLoaded.moreCannotConnect' : 'notLoaded.moreStillConnect',
            {
              count: more,
            },
          )
        : t(`notLoaded.${says}`, { count: shown.length })}
    </p>
  );
}

/**
 * The button that confirms a card server's date. Its agent lets no lines expire by a date that jumped, or that differs
 * from the panel's, until an administrator has confirmed it.
 */
function ConfirmDay({ server }: { server: Server }) {
  const { t } = useTranslation();
  const { id, server_name: name, day_finding } = server;
  const confirm = useCommand(confirmServerDay, {
    params: { id },
    refreshes: ['servers'],
    isRepeatable: true,
    doneText: () => t('notLoaded.dayConfirmed', { name }),
  });
  const day = day_finding?.data.day ?? '';
  return (
    <Button size="small" pending={confirm.isPending} onClick={() => void confirm.send({ day })}>
      {t('notLoaded.confirmDay', { day: formatDay(day) })}
    </Button>
  );
}

/** Instructions for an agent that cannot make its card server reload accounts. */
function HowToTell() {
  const { t } = useTranslation('servers');
  return <p>{t('nobodyTells.howTo')}</p>;
}
