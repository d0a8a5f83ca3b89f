import type { Sync } from '@linekeeper/contract/findings.ts';
import { type Line, syncLine } from '@linekeeper/contract/lines/lines.ts';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { CloudAlert, Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOwnLimits } from '#domain/accounts/use-own-limits.ts';
import { useGetCredentials } from '#domain/lines/credentials.tsx';
import { HandOver } from '#domain/lines/hand-over/hand-over.tsx';
import { placedBy } from '#domain/lines/placed.ts';
import { usePlacedText } from '#domain/lines/placed-text.ts';
import { lineQuery } from '#domain/lines/queries.ts';
import { ServerChips } from '#domain/lines/server-chips.tsx';
import { ShareButton } from '#domain/lines/share-button.tsx';
import { stateOf } from '#domain/lines/state.ts';
import { useServerName } from '#domain/lines/sync.tsx';
import { isPending } from '#domain/lines/use-retry-sync.ts';
import { plansQuery, serversOfPlan, usePlansOnSale } from '#domain/prices/plans.ts';
import { allPricesQuery } from '#domain/prices/prices.ts';
import { serverChoicesQuery, takesLines } from '#domain/servers/server-choices.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { FootBar } from '#kit/page/foot-bar.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { DoneCard } from '#kit/ui/done-card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { useSingleKey } from '#kit/ui/use-single-key.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { preferencesQuery } from '#platform/data/preferences.ts';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { formatTime } from '#platform/format/format-moment.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { AddLineForm } from './add-line-form.tsx';
import type { CreatedLine } from './add-line-types.ts';
import { useLastSale } from './last-sale.ts';
import { nextNameQuery } from './use-proposed-name.ts';

const SaleMenu = lazyPart(() => import('./sale-menu.tsx'), 'SaleMenu', {
  isPart: true,
  texts: 'bulk',
});

/** The look while the keyboard of a phone is open: the title is hidden to make room. */
const WHILE_TYPING =
  'phone:[@media(height<560px)]:[&>:first-child]:visually-hidden phone:[@media(height<560px)]:[&>:first-child]:min-h-0 [[data-keyboard]_&]:[&>:first-child]:visually-hidden';

export function AddLinePage() {
  const [created, setCreated] = useState<CreatedLine>();
  const beginAnother = () => setCreated(undefined);
  // The shortcut that opens this page also starts the next line after a sale.
  useSingleKey('n', beginAnother);
  return (
    // On a phone, the whole sale fits onto one screen.
    <div
      className={`phone:[&>:first-child]:min-h-9 phone:[&>:first-child]:mb-3 phone:[&_.form-width_form]:gap-5 ${WHILE_TYPING}`}
    >
      <PageHeader />
      {created ? (
        <CredentialsCard created={created} onCreateAnother={beginAnother} />
      ) : (
        <NextLine onCreated={setCreated} />
      )}
    </div>
  );
}

/** True once a reply has arrived, or will not: after a failure, or for a query that is not sent. */
const isSettled = ({ isPending, fetchStatus, failureCount }: UseQueryResult) =>
  !isPending || fetchStatus !== 'fetching' || failureCount > 0;

/**
 * The form for the next line, after its initial values have arrived: the plan and the newest
 * server, the months of the last sale, the affordable terms, whether another line may be added, and
 * a name. If a request fails, the panel chooses the server, and the seller the rest.
 */
function NextLine({ onCreated }: { onCreated: (created: CreatedLine) => void }) {
  const servers = useQuery(serverChoicesQuery());
  const name = useQuery(nextNameQuery());
  const others = [
    useQuery(preferencesQuery()),
    useQuery(allPricesQuery()),
    useQuery(plansQuery()),
    useOwnLimits(),
  ];
  const { serverId, planId } = useLastSale();
  const plans = usePlansOnSale();
  const plan = plans.find(({ id }) => id === planId) ?? plans[0];
  const isSettledNow = [servers, name, ...others].every(isSettled);
  // The form repeats failed requests, and stays visible during that.
  const [isReady, setReady] = useState(isSettledNow);
  if (isSettledNow && !isReady) setReady(true);
  const active = serversOfPlan(plan, servers.data ?? []).filter(takesLines);
  const server = active.find(({ id }) => id === serverId) ?? active[0];
  return (
    isReady && (
      <AddLineForm
        planId={plan?.id}
        serverId={server?.id}
        name={name.data?.username ?? ''}
        onCreated={onCreated}
      />
    )
  );
}

interface CredentialsCardProps {
  created: CreatedLine;
  onCreateAnother: () => void;
}

/**
 * The customer's credentials after a sale, the only time the password is shown without a reveal.
 */
function CredentialsCard({ created, onCreateAnother }: CredentialsCardProps) {
  const { t } = useTranslation('lines');
  const isPhone = useIsPhone();
  const getCredentials = useGetCredentials();
  const { password } = created;
  const line = useSoldLine(created);
  const state = useDelivery(line);
  const said = usePlacedText(line);
  const { forgetSale } = useLastSale();
  const undone = () => {
    forgetSale();
    onCreateAnother();
  };
  const another = (
    <Button icon={<Plus />} onClick={onCreateAnother}>
      {t('done.another')}
    </Button>
  );
  return (
    <>
      <Delivery state={state} created={created} line={line} />
      <DoneCard
        titleId="line-created"
        title={said ?? t(`done.title.${state === 'notKnown' ? 'done' : state}`)}
        isWaiting={state !== 'done'}
        summary={<Summary created={created} />}
      >
        <div className="-mt-2 mb-4 empty:hidden">
          <ServerChips line={line} />
        </div>
        <HandOver
          line={line}
          known={password}
          isSharedAtFoot={isPhone}
          menu={(entries) => (
            <SaleMenu line={line} jobId={created.job_id} entries={entries} onUndone={undone} />
          )}
        >
          {isPhone ? (
            <FootBar label={t('done.next')}>
              <ShareButton variant="solid" getText={() => getCredentials(line, () => password)} />
              {another}
            </FootBar>
          ) : (
            another
          )}
        </HandOver>
      </DoneCard>
    </>
  );
}

/**
 * The delivery of a new line. In this order: its server does not have it; the server has not loaded
 * it; the panel does not know whether the server has loaded it; its customer can connect.
 */
type DeliveryState = 'notDelivered' | 'notRead' | 'notKnown' | 'done';

/** The sold line, kept up to date. */
function useSoldLine({ line }: CreatedLine): Line {
  return useQuery({ ...lineQuery(line.id), initialData: line }).data;
}

/** Follows the line's delivery until its customer can connect. */
function useDelivery(line: Line): DeliveryState {
  const state = stateOf(line, useToday());
  if (line.sync_state !== 'synced' || !line.on_server) return 'notDelivered';
  return state === 'notRead' || state === 'notKnown' ? state : 'done';
}

interface DeliveryProps {
  state: DeliveryState;
  created: CreatedLine;
  /** The line as it is now, after changes since the sale. */
  line: Line;
}

/**
 * The state of the delivery, placed first because the credentials below do not work yet. It also shows when they do.
 */
function Delivery({ state, created, line }: DeliveryProps) {
  const { t } = useTranslation('lines');
  const [wasWaiting, setWaiting] = useState(false);
  if (state !== 'done' && !wasWaiting) setWaiting(true);
  const { username, server_id, servers } = line;
  const serverName = useServerName(server_id);
  // The servers that already have the line are named below.
  const isSomewhere = placedBy(servers).taken.length > 0;
  return (
    <div className={wasWaiting ? 'max-w-(--form-max) mb-6' : undefined} role="status">
      {state === 'notDelivered' && !isSomewhere && (
        <SyncResultBanner line={created.line} result={created} isPaid={created.cost > 0} />
      )}
      {state === 'notRead' && (
        <Banner tone="warning" title={t('done.notRead')}>
          <p>{t('done.notReadText')}</p>
        </Banner>
      )}
      {state === 'notKnown' && (
        <Banner tone="warning" title={t('done.notKnown', { server: serverName })}>
          <p>{t('done.notKnownText')}</p>
        </Banner>
      )}
      {state === 'done' && wasWaiting && (
        <Banner tone="success" title={t('line.sync.done', { username })} />
      )}
    </div>
  );
}

/** The sentence about the sale, such as '12 months for 10 credits. Balance 238 credits.' */
function Summary({ created: { line, cost, credits } }: { created: CreatedLine }) {
  const { t } = useTranslation('lines');
  const { is_admin } = useMe();
  const duration = t('credits.months', { count: line.subscription_months ?? 0 });
  const price = t('credits.amount', { count: cost });
  const balance = t('credits.amount', { count: credits });
  const free = line.is_trial ? t('done.trial') : t('done.free', { duration });
  if (is_admin) return free;
  const what = cost === 0 ? free : t('done.paid', { duration, price });
  return `${what} ${t('done.balance', { balance })}`;
}

interface SyncResultBannerProps {
  line: Line;
  /** Result of the push after the sale. */
  result: { sync: Sync; sync_finding: Line['sync_finding'] };
  isPaid: boolean;
}

/**
 * Warns after a sale that the card server does not have the line yet. Retry in the banner pushes
 * the line again and updates the banner.
 */
function SyncResultBanner({ line, result, isPaid }: SyncResultBannerProps) {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const findingText = useFindingText();
  const [tried, setTried] = useState<SyncResultBannerProps['result'] & { at: number }>();
  const { send, error, ...trying } = useCommand(syncLine, {
    params: { id: line.id },
    refreshes: ['lines', 'me'],
    isRepeatable: true,
    isSilent: true,
    done: (reply) => setTried({ ...reply, at: Date.now() }),
  });
  const { sync, sync_finding } = tried ?? result;
  const retry = (
    <Button
      size="small"
      icon={<RefreshCw />}
      pending={trying.isPending}
      onClick={() => void send()}
    >
      {t('line.sync.retry')}
    </Button>
  );
  if (sync.ok) {
    return (
      <div role="status">
        <Banner tone="success" title={t('line.sync.done', { username: line.username })} />
      </div>
    );
  }
  if (!error && isPending(sync_finding)) {
    return (
      <div role="status">
        <Banner tone="info" title={findingText(sync_finding)} action={retry}>
          <p>{t('line.sync.deliversLater')}</p>
        </Banner>
      </div>
    );
  }
  const time = tried && !error && formatTime(tried.at, i18n.language);
  return (
    <div role="status">
      <Banner
        tone="warning"
        icon={<CloudAlert />}
        title={error ? errorText(error) : findingText(sync_finding)}
        action={retry}
      >
        {time && <p>{t('line.sync.stillRefused', { time })}</p>}
        <p>{isPaid ? t('line.sync.savedAndPaid') : t('line.sync.saved')}</p>
      </Banner>
    </div>
  );
}
