import { cancelJob, type Job } from '@linekeeper/contract/lines/bulk.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../shared/commands/use-command.ts';
import { changedByJobs, isRunning, jobQuery, mayCancel } from '../../shared/jobs/queries.ts';
import { useJobTexts } from '../../shared/jobs/use-job-texts.ts';
import { unwatchJob } from '../../shared/jobs/watched-jobs.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { SheetDialog } from '../../shared/ui/dialogs/sheet-dialog.tsx';
import { FailedPanel } from '../../shared/ui/states/failed-panel.tsx';
import { JobActions } from './job-actions.tsx';
import { JobFacts } from './job-facts.tsx';
import { JobItems } from './job-items.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { useJobAddress } from './use-job-address.ts';

/** A result shown for a shorter time does not count as read. */
const READ_MS = 1000;

function useWasRead(isShown: boolean): boolean {
  const [wasRead, setRead] = useState(false);
  useEffect(() => {
    const timer = isShown ? setTimeout(() => setRead(true), READ_MS) : undefined;
    return () => clearTimeout(timer);
  }, [isShown]);
  return wasRead;
}

/** One job: its progress while it runs, then the result of each line and the follow-up actions. */
export function JobDialog({ id }: { id: string }) {
  const { t } = useTranslation('bulk');
  const { name } = useJobTexts();
  const { open, close } = useJobAddress();
  const { data: job, error, refetch } = useQuery(jobQuery(id, 'none'));
  const hasEnded = job !== undefined && !isRunning(job);
  const wasRead = useWasRead(hasEnded);
  const dismiss = () => {
    // The result has been read here, so its card need not appear as well.
    if (wasRead) unwatchJob(id);
    void close();
  };
  const leave = () => {
    if (hasEnded) unwatchJob(id);
    void close();
  };
  return (
    <SheetDialog
      title={job ? name(job) : t('job')}
      onClose={dismiss}
      footer={
        <>
          {hasEnded && <JobActions job={{ ...job, id }} onFollowed={open} />}
          {job && mayCancel(job) && <CancelButton id={id} />}
          <Button onClick={leave}>{t('close')}</Button>
        </>
      }
    >
      {error && !job ? (
        <FailedPanel error={error} onRetry={refetch} />
      ) : (
        job && <JobBody job={{ ...job, id }} />
      )}
    </SheetDialog>
  );
}

function JobBody({ job }: { job: Job & { id: string } }) {
  const { t } = useTranslation('bulk');
  const { result, progress } = useJobTexts();
  if (!isRunning(job)) {
    return (
      <>
        <p role="status">
          <b>{result(job)}</b>
        </p>
        <JobFacts job={job} />
        <JobItems job={job} />
      </>
    );
  }
  return (
    <>
      <div>
        <p>{progress(job)}</p>
        <ProgressBar job={job} />
      </div>
      <p>
        {result(job)}. {t('mayLeave')}
      </p>
    </>
  );
}

function CancelButton({ id }: { id: string }) {
  const { t } = useTranslation('bulk');
  const cancel = useCommand(cancelJob, { params: { id }, refreshes: changedByJobs });
  return (
    <Button tone="danger" pending={cancel.isPending} onClick={() => void cancel.send()}>
      {t('stop')}
    </Button>
  );
}
