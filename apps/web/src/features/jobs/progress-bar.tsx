import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { useJobTexts } from '#domain/jobs/use-job-texts.ts';
import styles from './jobs.module.css';

export function ProgressBar({ job }: { job: Job }) {
  const { name, progress } = useJobTexts();
  return (
    <progress
      className={styles.progress}
      aria-label={name(job)}
      aria-valuetext={progress(job)}
      max={Math.max(job.total, 1)}
      value={job.done + job.failed + job.skipped}
    />
  );
}
