import type { Plan } from '@linekeeper/contract/credits/plans.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PricesHeader } from '#features/prices/prices-header.tsx';
import { plansQuery } from '#features/prices/queries.ts';
import { LinkedRows } from '#kit/list/linked-rows.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { AddLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';

interface PlansFrameProps {
  /** Heading of the form on a phone, where nothing else is shown; undefined for the list alone. */
  title?: string | undefined;
  /** The plan of the form; undefined for a new one. */
  plan?: Plan | undefined;
  children?: ReactNode;
}

/** The list of plans with a form beside it; on a phone one of them. */
export function PlansFrame({ title, plan, children }: PlansFrameProps) {
  const { t } = useTranslation('prices');
  const { data, error, refetch } = useQuery(plansQuery());
  const isPhone = useIsPhone();
  const isAlone = isPhone && title !== undefined;
  const lines = plan && t('serverCard.lines', { count: plan.lines ?? 0 });
  // The form keeps its place in the tree, and with it the entered values, when a window becomes narrow or wide.
  return (
    <>
      {isAlone ? (
        <PageHeader title={title} actions={lines && <span className="text-text-2">{lines}</span>} />
      ) : (
        <PricesHeader
          tab="plans"
          actions={
            <AddLink to="/payments/plans/add" variant="outlined">
              {t('nav.addPlan')}
            </AddLink>
          }
        />
      )}
      <div className="grid grid-cols-[344px_minmax(0,1fr)] items-start gap-6 tablet:grid-cols-1">
        {!isAlone && (
          <Card flush as="div" className="overflow-clip">
            {error && !data ? (
              <FailedPanel error={error} onRetry={() => void refetch()} />
            ) : (
              <PlanLinks plans={data?.items} current={isPhone ? undefined : plan?.id} />
            )}
          </Card>
        )}
        {(isAlone || !isPhone) && children}
      </div>
    </>
  );
}

interface PlanLinksProps {
  plans: readonly Plan[] | undefined;
  /** The id of the plan whose form is beside the list. */
  current: string | undefined;
}

/** The plans in the order in which they are offered, each with its servers, its lines and its lowest price. */
function PlanLinks({ plans, current }: PlanLinksProps) {
  return (
    <LinkedRows
      rows={plans}
      isInert={false}
      showsSkeleton={false}
      placeholders={1}
      className="[&>li]:min-h-24 [&>li]:py-3 [&>li]:px-6 [&>li+li]:border-t [&>li+li]:border-t-divider phone:[&>li]:min-h-22 phone:[&>li]:py-2.5 phone:[&>li]:px-4"
    >
      {(plan) => <PlanLink plan={plan} isCurrent={plan.id === current} />}
    </LinkedRows>
  );
}

function PlanLink({ plan, isCurrent }: { plan: Plan; isCurrent: boolean }) {
  const { t } = useTranslation('prices');
  const { id, name, is_offered, servers, lines, terms } = plan;
  const lowest = Math.min(...terms.flatMap((term) => (term.is_offered ? term.credits : [])));
  const credits = t('credits.amount', { count: lowest });
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 text-text-2 type-caption">
      <Link
        to="/payments/plans/$id"
        params={{ id }}
        className="covers text-text type-[600_16px/24px_var(--font)] truncate"
        aria-current={isCurrent ? 'true' : undefined}
      >
        <TypedText>{name}</TypedText>
      </Link>
      <span className="justify-self-end">
        <Badge tone={is_offered ? 'success' : 'neutral'}>
          {t(is_offered ? 'plans.offered' : 'plans.notOffered')}
        </Badge>
      </span>
      <span className="col-span-2 truncate">
        {servers.length > 0 ? (
          <TypedText>{servers.map(({ server_name }) => server_name).join(', ')}</TypedText>
        ) : (
          t('plans.everyServer')
        )}
      </span>
      <span>{t('serverCard.lines', { count: lines ?? 0 })}</span>
      <b className="text-text font-semibold text-end">{t('plans.from', { credits })}</b>
    </li>
  );
}
