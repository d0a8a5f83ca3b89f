import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { csvAddress, isRunning } from '#domain/jobs/queries.ts';
import { useJobTexts } from '#domain/jobs/use-job-texts.ts';
import { type KnownJob, useUndo } from '#domain/jobs/use-undo.ts';
import { takeDownloadRequest, unwatchJob } from '#domain/jobs/watched-jobs.ts';
import { downloadFile } from '#platform/browser/download-file.ts';
import { type ResultOptions, results } from '#platform/state/results.ts';
import { useJobAddress } from './use-job-address.ts';

/** Shows in the header the progress and the results of jobs that were started in this tab. */
export function JobResults({ jobs }: { jobs: KnownJob[] }) {
  return jobs.map((job) => <JobResult key={job.id} job={job} />);
}

function JobResult({ job }: { job: KnownJob }) {
  const sayRunning = useSayRunning();
  const sayEnded = useSayEnded();
  const isEnded = !isRunning(job);
  const say = useEffectEvent(() => {
    if (!isEnded) return sayRunning(job);
    if (takeDownloadRequest(job.id)) downloadFile(csvAddress(job.id));
    if (unwatchJob(job.id)) sayEnded(job);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: shows one message when the job runs, and one when it has ended
  useEffect(() => say(), [isEnded]);
  return null;
}

function useSayRunning() {
  const { t } = useTranslation('bulk');
  const { name } = useJobTexts();
  const address = useJobAddress();
  return (job: KnownJob) =>
    results.info(name(job), {
      detail: t('mayLeave'),
      action: { label: t('error.details'), onClick: () => void address.open(job.id) },
    });
}

/**
 * The kind by which several results become one sentence, unless customers must be notified; each
 * can still be undone in the bell.
 */
function kindOf(job: Job, many: (count: number) => string): ResultOptions['kind'] {
  const isAlone = job.action === 'undo' || job.to_tell > 0;
  if (job.done !== 1 || job.total !== 1 || isAlone) return undefined;
  return { of: `${job.action} ${job.not_synced > 0}`, many };
}

function useSayEnded() {
  const { t } = useTranslation('bulk');
  const { said, waits, problems } = useJobTexts();
  const { undo } = useUndo();
  const address = useJobAddress();
  const navigate = useNavigate();
  const actionOf = (job: KnownJob, hasFailed: boolean): ResultOptions['action'] => {
    if (job.to_tell > 0) {
      const open = () => void navigate({ to: '/users/tell/$id', params: { id: job.id } });
      return { label: t('customers', { count: job.to_tell }), onClick: open };
    }
    if (job.can_undo && !hasFailed) {
      return { label: t('action.undo'), key: 'z', onClick: () => void undo(job) };
    }
    if (job.total === 1 && !hasFailed) return undefined;
    return { label: t('error.details'), onClick: () => void address.open(job.id) };
  };
  return (job: KnownJob) => {
    const { done, cost, not_synced } = job;
    const hasFailed = job.failed > 0 || job.state === 'cancelled';
    const back =
      cost < 0 ? [t('said.back', { credits: t('credits.amount', { count: -cost }) })] : [];
    const detail = [...back, ...(done > 0 ? [...waits(job), ...problems(job)] : [])];
    const many = (count: number) => {
      const all = {
        ...job,
        done: count,
        total: count,
        not_synced: not_synced && count,
        pending: 0,
      };
      return [said({ ...all, cost: 0, username: null }), ...waits(all)].join(', ');
    };
    const tell = hasFailed || not_synced > 0 ? results.warning : results.success;
    tell(said(job), {
      detail: detail.join(', '),
      stays: hasFailed || job.to_tell > 0,
      kind: kindOf(job, many),
      action: actionOf(job, hasFailed),
    });
  };
}
