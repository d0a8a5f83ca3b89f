import type { Plan } from '@linekeeper/contract/credits/plans.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LinkedRows } from '#kit/list/linked-rows.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';

interface PlanLinksProps {
  plans: readonly Plan[] | undefined;
  /** The id of the plan whose form is beside the list. */
  current: string | undefined;
}

/** The plans in the order in which they are offered, each with its servers, its lines and its lowest price. */
export function PlanLinks({ plans, current }: PlanLinksProps) {
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
