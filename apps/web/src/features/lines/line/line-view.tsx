import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useHasOtherPlan, useLineDialogs } from '#domain/lines/actions.tsx';
import { CopyCredentialsButton, useGetCredentials } from '#domain/lines/credentials.tsx';
import { HandOver } from '#domain/lines/hand-over/hand-over.tsx';
import { useLinePassword } from '#domain/lines/hand-over/use-line-password.ts';
import { useLinePlace } from '#domain/lines/line-place.ts';
import { ServerChips } from '#domain/lines/server-chips.tsx';
import { ShareButton } from '#domain/lines/share-button.tsx';
import { useHasPlans, usePlanName } from '#domain/prices/plans.ts';
import { Columns } from '#features/lines/columns.tsx';
import { FormPlace } from '#kit/forms/use-unsaved-guard.ts';
import { FootBar } from '#kit/page/foot-bar.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { isGone } from '#platform/api/client.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { AutoRenewalChoice } from './auto-renewal-choice.tsx';
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
  return (
    <Card>
      <FailedPanel error={error} onRetry={refetch} />
    </Card>
  );
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
  const { open } = useLineDialogs();
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
            <Button
              variant="text"
              size="small"
              aria-haspopup="dialog"
              onClick={({ currentTarget }) =>
                open({ action: 'change_plan', line, anchor: currentTarget })
              }
            >
              {t('action.change_plan')}
            </Button>
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
  return (
    <div className="flex items-center gap-2">
      <ShareButton getText={() => getCredentials(line, getPassword)} />
      <CopyCredentialsButton
        line={line}
        getPassword={getPassword}
        label={t('copyCredentialsOf', { username: line.username })}
      >
        {t('share.copy')}
      </CopyCredentialsButton>
    </div>
  );
}
