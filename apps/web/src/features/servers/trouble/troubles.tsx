import type { Server } from '@linekeeper/contract/servers/servers.ts';
import type { TakenOver } from '@linekeeper/contract/servers/take-over.ts';
import { CalendarClock, CircleAlert, ClockAlert, Info, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReadAgainButton } from '#domain/servers/read-again-button.tsx';
import { type Trouble, type TroubleCause, troublesOf } from '#domain/servers/trouble.ts';
import { useAwayText } from '#domain/servers/use-away-text.ts';
import { ArticleLink } from '#kit/ui/article-link.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { DeliverAgain, useFocusLeftTo } from './deliver-again.tsx';
import { ConfirmDay, HowToTell, WaitingLines } from './reload.tsx';
import { LeftRows, TakeOverButton } from './take-over.tsx';
import { useTroubleTexts } from './trouble-texts.ts';

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
