import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Body, Reply } from '@linekeeper/contract/endpoint.ts';
import { renewLine } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { useShowStoredJob } from '../../../shared/jobs/queries.ts';
import { useRetrySync } from '../../../shared/lines/use-retry-sync.ts';
import { results } from '../../../shared/state/results.ts';

type RenewalDuration = Omit<Body<typeof renewLine>, 'from_expiry_date'>;

/** Sends a renewal, and says what became of it. */
export function useRenew(line: Line) {
  const { t } = useTranslation('lines');
  const { warn } = useRetrySync(line);
  const showRenewal = useShowStoredJob();
  const { id, expiry_date: from_expiry_date } = line;
  const command = useCommand(renewLine, {
    // Refused if somebody renewed it meanwhile, of which this page has not heard.
    input: (duration: RenewalDuration) => ({
      params: { id },
      body: { ...duration, from_expiry_date },
    }),
    refreshes: ['lines', 'me'],
  });
  const told = async ({ line: renewed, cost, ...result }: Reply<typeof renewLine>) => {
    const { sync, sync_finding, job_id } = result;
    if (job_id && (await showRenewal(job_id))) return;
    const { username, expiry_date } = renewed;
    if (sync.ok) results.success(t('renew.done', { username, day: formatDay(expiry_date) }));
    else warn(sync_finding, t(cost > 0 ? 'done.savedAndPaid' : 'done.saved'));
  };
  return { command, told };
}
