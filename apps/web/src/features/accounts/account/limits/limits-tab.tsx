import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { limitsQuery } from '#domain/accounts/use-own-limits.ts';
import { FormPlace } from '#kit/forms/use-unsaved-guard.ts';
import { Skeleton } from '#kit/ui/skeleton.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { useDelayed } from '#platform/browser/use-delayed.ts';
import { LimitsForm } from './limits-form.tsx';

/** The place of a tab: leaving it for another tab discards typed values. */
const placeOf = ({ pathname, search }: { pathname: string; search: { tab?: string } }) =>
  `${pathname} ${search.tab}`;

export function LimitsTab({ account }: { account: Account }) {
  const { data, error, refetch } = useQuery(limitsQuery(account.id));
  const isSlow = useDelayed(!data && !error);
  return (
    <div className="min-h-60 p-(--card-pad) phone:mt-4 phone:rounded-card phone:bg-paper phone:shadow-card">
      {data ? (
        <FormPlace value={placeOf}>
          <LimitsForm account={account} limits={data} />
        </FormPlace>
      ) : error ? (
        <FailedPanel error={error} onRetry={() => void refetch()} />
      ) : (
        isSlow && (
          <div className="form-width grid gap-9">
            {[1, 2, 3].map((row) => (
              <Skeleton key={row} />
            ))}
          </div>
        )
      )}
    </div>
  );
}
