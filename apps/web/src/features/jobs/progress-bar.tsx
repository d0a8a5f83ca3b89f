import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { useJobTexts } from '#domain/jobs/use-job-texts.ts';

export function ProgressBar({ job }: { job: Job }) {
  const { name, progress } = useJobTexts();
  return (
    <progress
      className="h-2 mt-3 [&::-webkit-progress-value]:[transition:inline-size_0.3s]"
      aria-label={name(job)}
      aria-valuetext={progress(job)}
      max={Math.max(job.total, 1)}
      value={job.done + job.failed + job.skipped}
    />
  );
}
