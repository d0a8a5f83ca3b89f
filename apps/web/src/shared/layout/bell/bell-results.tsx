import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isRunning, jobsQuery } from '../../jobs/queries.ts';
import { UndoButton } from '../../jobs/undo-button.tsx';
import { useJobTexts } from '../../jobs/use-job-texts.ts';
import { TimeAgo } from '../../ui/timestamp.tsx';
import { Caption, Row } from '../../ui/vocabulary.tsx';
import styles from './bell.module.css';
import { BellList } from './bell-entry.tsx';

type KnownJob = Job & { id: string };

/** What runs or can be undone, on every device of the account. */
export function BellResults({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('bulk');
  const { data: jobs = [] } = useQuery(jobsQuery());
  const shown = jobs.filter(
    (job): job is KnownJob => job.id !== null && (isRunning(job) || job.can_undo),
  );
  if (shown.length === 0) return null;
  return (
    <section className={styles.results} aria-label={t('results')}>
      <Row gap={16} justify="between" className={styles.resultsHead}>
        <h3>{t('results')}</h3>
        <Link to="/users/all" search={{ job: 'recent' }} onClick={onClose}>
          {t('recent.title')}
        </Link>
      </Row>
      <BellList>
        {shown.map((job) => (
          <Result key={job.id} job={job} />
        ))}
      </BellList>
    </section>
  );
}

function iconOf(job: Job) {
  if (isRunning(job)) return LoaderCircle;
  return job.failed + job.not_synced > 0 ? TriangleAlert : CircleCheck;
}

function Result({ job }: { job: KnownJob }) {
  const { t } = useTranslation();
  const { name, result, progress } = useJobTexts();
  const Icon = iconOf(job);
  const said = [
    isRunning(job) ? progress(job) : result(job),
    ...(job.cost > 0 ? [t('credits.amount', { count: job.cost })] : []),
  ];
  return (
    <Row as="li" align="stretch" gap={16} phoneGap={12}>
      <span className={`centred ${styles.icon}`} aria-hidden="true">
        <Icon size={20} />
      </span>
      <Caption as="div" grow wraps className={styles.text}>
        <b>{name(job)}</b>
        <p>
          {said.join(' · ')}
          {job.finished_at && (
            <>
              {' · '}
              <TimeAgo value={job.finished_at} />
            </>
          )}
        </p>
      </Caption>
      {job.can_undo && <UndoButton job={job} />}
    </Row>
  );
}
