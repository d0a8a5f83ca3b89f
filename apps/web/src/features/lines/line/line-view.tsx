import { setAutoRenewal } from '@linekeeper/contract/lines/auto-renewal.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { OpenButton, useHasOtherPlan } from '#domain/lines/actions.tsx';
import { useGetCredentials } from '#domain/lines/credentials.tsx';
import { HandOver } from '#domain/lines/hand-over/hand-over.tsx';
import { useLinePassword } from '#domain/lines/hand-over/use-line-password.ts';
import { useLinePlace } from '#domain/lines/line-place.ts';
import { ServerChips } from '#domain/lines/server-chips.tsx';
import { ShareButton } from '#domain/lines/share-button.tsx';
import { useHasPlans, usePlanName } from '#domain/prices/plans.ts';
import { usePriceOf, useTerms } from '#domain/prices/prices.ts';
import { Columns } from '#features/lines/columns.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { SelectBox } from '#kit/forms/fields/select-input.tsx';
import { FormPlace } from '#kit/forms/use-unsaved-guard.ts';
import { FootBar } from '#kit/page/foot-bar.tsx';
import { CopyTextButton } from '#kit/ui/buttons/copy-button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { FailedCard } from '#kit/ui/states/failed-panel.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { isGone } from '#platform/api/client.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { results } from '#platform/state/results.ts';
import { CustomerCard } from './customer-card.tsx';
import { QuietActions } from './quiet-actions.tsx';
import { RenewBar, RenewCard } from './renew-card.tsx';
import { StateSentence } from './state-sentence.tsx';
import type { LineShown } from './use-line.ts';
import { useLineFacts } from './use-line-facts.ts';
import { bestOf, useWaysOut, WayButton, WhatToDo } from './what-to-do.tsx';

const History = lazyPart(() => import('./history/history.tsx'), 'History', {
  texts: 'activity',
  isPart: true,
  before: () => <div className="h-40" aria-hidden="true" />,
});
const UsageTab = lazyPart(() => import('#features/lines/usage/usage-tab.tsx'), 'UsageTab', {
  isPart: true,
  before: () => <div className="h-40" aria-hidden="true" />,
});
const EditLine = lazyPart(() => import('#features/lines/edit/edit-line.tsx'), 'EditLine', {
  texts: 'lines',
  isPart: true,
});

/** The place of a form in a line: another line or part leaves it. */
const placeOf = ({ pathname, search }: { pathname: string; search: object }) => {
  const { line, part } = search as { line?: string; part?: string };
  return [pathname, line, part].join(' ');
};

interface LineViewProps {
  shown: LineShown;
  /** True in the panel, whose foot has the button to renew if another action comes first. */
  isPanel?: boolean;
  /** The link for the case that the line does not exist. */
  back: ReactNode;
  /** Returns to the line's overview. */
  onLeaveEdit: () => void;
}

/**
 * The content of a line's page or panel: the part that the address names, such as usage, or the reason why the line
 * cannot be shown.
 */
export function LineView({ shown, isPanel = false, back, onLeaveEdit }: LineViewProps) {
  const { part } = useLinePlace();
  const { line, error, isPending, refetch } = shown;
  if (line) {
    return (
      <FormPlace key={line.id} value={placeOf}>
        {part === 'overview' && <Overview line={line} isPanel={isPanel} />}
        {part === 'usage' && <UsageTab line={line} />}
        {part === 'receiver' && (
          <Card className="form-width">
            <HandOver line={line} />
          </Card>
        )}
        {part === 'edit' && (
          <Card className="form-width">
            <EditLine line={line} onLeave={onLeaveEdit} />
          </Card>
        )}
      </FormPlace>
    );
  }
  if (isPending) return isPanel ? <Loading /> : null;
  if (isGone(error)) return <div>{back}</div>;
  return <FailedCard error={error} onRetry={refetch} />;
}

/** Keeps the room of the sentence, the credentials and the renewal. */
function Loading() {
  return (
    <div
      className="grid gap-5 [&_span]:h-24 [&_span]:rounded-pop [&_span]:bg-head"
      aria-hidden="true"
    >
      <span />
      <span />
      <span />
    </div>
  );
}

/** True if renewing is among the quiet actions of a line, because another action is more urgent. */
export function useHasQuietRenew(line: Line): boolean {
  return bestOf(useWaysOut(line, useLineFacts(line))) !== undefined;
}

function Overview({ line, isPanel }: { line: Line; isPanel: boolean }) {
  const { t } = useTranslation('line');
  const isPhone = useIsPhone();
  const facts = useLineFacts(line);
  const best = bestOf(useWaysOut(line, facts));
  return (
    <>
      <Columns>
        <Card as="div" className="col-span-full">
          <div className="grid grid-cols-1 gap-6">
            <StateSentence line={line} facts={facts} />
            <Places line={line} />
            <Credentials line={line} />
            <WhatToDo line={line} facts={facts} atFoot={isPhone ? best : undefined} />
          </div>
        </Card>
        <div className="grid grid-cols-1 gap-6 phone:gap-2">
          {isPhone ? (
            <div className="flex items-center flex-wrap justify-center gap-2">
              <QuietActions line={line} hasRenew={best !== undefined} />
            </div>
          ) : (
            !(isPanel && best) && (
              <Card as="div">
                <RenewCard line={line} />
              </Card>
            )
          )}
        </div>
        <div className="grid grid-cols-1 gap-6 phone:gap-2">
          <Card as="div">
            <CustomerCard line={line} facts={facts} />
          </Card>
          <AutoRenewalChoice line={line} />
          <Card as="div">
            <Past line={line} />
          </Card>
        </div>
      </Columns>
      {isPhone &&
        (best ? (
          <FootBar label={t('list.actions')}>
            <WayButton way={best} line={line} facts={facts} variant="solid" />
          </FootBar>
        ) : (
          <RenewBar line={line} />
        ))}
    </>
  );
}

/** The line's plan if there are several plans, and its servers if there are several. */
function Places({ line }: { line: Line }) {
  const { t } = useTranslation('line');
  const hasPlans = useHasPlans();
  const hasOther = useHasOtherPlan(line);
  const name = usePlanName()(line.plan_id);
  if (!hasPlans && line.servers.length < 2) return null;
  return (
    <div className="grid grid-cols-1 gap-3 -mt-2">
      {hasPlans && (
        <div className="flex items-center flex-wrap gap-x-2 min-h-8">
          <span className="text-text-2">{t('field.plan')}</span>
          <b className="type-strong min-w-0 wrap-anywhere">
            <TypedText>{name}</TypedText>
          </b>
          {hasOther && (
            <OpenButton line={line} action="change_plan" variant="text" size="small">
              {t('action.change_plan')}
            </OpenButton>
          )}
        </div>
      )}
      <ServerChips line={line} />
    </div>
  );
}

function Past({ line }: { line: Line }) {
  const { t } = useTranslation('line');
  return (
    <section aria-label={t('recurring.history')}>
      <h2 className="mb-2 type-strong">{t('recurring.history')}</h2>
      <History line={line} />
    </section>
  );
}

/** The receiver settings to hand over; the tab Receiver shows them, too. */
function Credentials({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const { getPassword } = useLinePassword(line);
  const getCredentials = useGetCredentials();
  const getText = () => getCredentials(line, getPassword);
  return (
    <div className="flex items-center gap-2">
      <ShareButton getText={getText} />
      <CopyTextButton
        getValue={getText}
        label={t('copyCredentialsOf', { username: line.username })}
      >
        {t('share.copy')}
      </CopyTextButton>
    </div>
  );
}

const OFF = 'off';

/** The term by which a line of one's own renews itself. */
function AutoRenewalChoice({ line }: { line: Line }) {
  const { t } = useTranslation('line');
  const id = useId();
  const me = useMe();
  const terms = useTerms(line.plan_id) ?? [];
  const priceOf = usePriceOf(line.plan_id);
  const set = useCommand(setAutoRenewal, {
    params: { id: line.id },
    refreshes: ['lines', 'dashboard'],
    waits: true,
    done: ({ line: { auto_renew_months: months } }) =>
      results.success(
        months === null
          ? t('autoRenewal.isOff')
          : t('autoRenewal.isOn', { duration: t('credits.months', { count: months }) }),
      ),
  });
  if (line.owner_id !== me.id) return null;
  const months = line.auto_renew_months;
  const known = months === null || terms.includes(months) ? terms : [...terms, months];
  const options = known.map((term) => {
    const cost = me.is_admin ? undefined : priceOf(term);
    return {
      value: String(term),
      label: t('credits.months', { count: term }),
      ...(cost !== undefined && { description: t('credits.amount', { count: cost }) }),
    };
  });
  return (
    <Card as="div">
      <div className="grid grid-cols-[1fr_minmax(0,13rem)] items-center gap-3">
        <span>
          <span id={`${id}-label`} className="type-strong">
            {t('autoRenewal.title')}
          </span>
          {months !== null && (
            <span className="block text-text-2 type-caption">{t('autoRenewal.when')}</span>
          )}
        </span>
        <SelectBox
          id={id}
          value={months === null ? OFF : String(months)}
          options={[{ value: OFF, label: t('autoRenewal.off') }, ...options]}
          disabled={set.isPending}
          onChange={(value) =>
            void set.send({ months: value === undefined || value === OFF ? null : Number(value) })
          }
        />
      </div>
    </Card>
  );
}
