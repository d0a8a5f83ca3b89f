import type { Job } from '@linekeeper/contract/bulk.ts';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { csvAddress, isRunning, jobQuery } from '../../shared/jobs/queries.ts';
import { useItemReason } from '../../shared/jobs/use-item-reason.ts';
import { takeDownload, unwatchJob } from '../../shared/jobs/watched-jobs.ts';
import { Button } from '../../shared/ui/button.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { downloadFile } from './download-file.ts';
import { JobActions } from './job-actions.tsx';
import styles from './jobs.module.css';
import { ProgressBar } from './progress-bar.tsx';
import { mayCancel, useCancelJob } from './queries.ts';
import { useJobAddress } from './use-job-address.ts';
import { useJobTexts } from './use-job-texts.ts';

const AT_ONCE = 3;

type KnownJob = Job & { id: string };

/** In the corner of every page: what runs, and what has ended until it is put away. */
export function JobPanels({ jobs }: { jobs: Job[] }) {
  const { t } = useTranslation('bulk');
  const known = jobs.filter((job): job is KnownJob => job.id !== null).slice(0, AT_ONCE);
  return (
    <aside className={styles.panels} aria-label={t('panels')}>
      {known.map((job) =>
        isRunning(job) ? (
          <RunningPanel key={job.id} job={job} />
        ) : (
          <EndedPanel key={job.id} job={job} />
        ),
      )}
    </aside>
  );
}

function RunningPanel({ job }: { job: KnownJob }) {
  const { t } = useTranslation('bulk');
  const errorText = useErrorText();
  const { name, progress } = useJobTexts();
  const address = useJobAddress();
  const cancel = useCancelJob();
  const stop = () => cancel.mutate(job.id, { onError: (error) => toast.error(errorText(error)) });
  return (
    <section className={styles.panel} aria-label={name(job)}>
      <div className={styles.panelHead}>
        <b>{name(job)}</b>
        <span>{progress(job)}</span>
      </div>
      <ProgressBar job={job} />
      <div className={styles.panelFoot}>
        <p>{t('mayLeave')}</p>
        <Button variant="text" size="small" onClick={() => address.open(job.id)}>
          {t('details')}
        </Button>
        {mayCancel(job) && (
          <Button variant="text" size="small" pending={cancel.isPending} onClick={stop}>
            {t('stop')}
          </Button>
        )}
      </div>
    </section>
  );
}

function EndedPanel({ job }: { job: KnownJob }) {
  const { t } = useTranslation('bulk');
  const { name, result } = useJobTexts();
  const address = useJobAddress();
  const isFine = job.failed === 0 && job.not_synced === 0 && job.state === 'done';
  const Icon = isFine ? CircleCheck : TriangleAlert;
  useEffect(() => {
    if (takeDownload(job.id)) downloadFile(csvAddress(job.id));
  }, [job.id]);
  return (
    <section
      className={styles.panel}
      aria-label={name(job)}
      data-tone={isFine ? 'success' : 'warning'}
    >
      <Icon size={20} aria-hidden="true" />
      <div className={styles.ended}>
        <p className={styles.name}>{name(job)}</p>
        <p role="status">
          <b>{result(job)}</b>
        </p>
        {job.failed + job.not_synced > 0 && <FirstReason id={job.id} />}
        <div className={styles.panelActions}>
          <JobActions job={job} />
          <Button variant="text" size="small" onClick={() => address.open(job.id)}>
            {t('details')}
          </Button>
        </div>
      </div>
      <IconButton size="small" label={t('putAway')} onClick={() => unwatchJob(job.id)}>
        <X size={20} aria-hidden="true" />
      </IconButton>
    </section>
  );
}

/** Mostly all of them failed, or are not on the server, for the same reason. */
function FirstReason({ id }: { id: string }) {
  const reason = useItemReason();
  const { data } = useQuery(jobQuery(id, 'failed'));
  const first = data?.items.find(({ state }) => state === 'failed') ?? data?.items[0];
  return first ? <p className={styles.reason}>{reason(first)}</p> : null;
}
