import { type Job, UNDO_MINUTES } from '@linekeeper/contract/lines/bulk.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, CloudAlert, History, LoaderCircle, TriangleAlert, Undo2 } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isOpen, isRunning, jobsQuery } from '#domain/jobs/queries.ts';
import { UndoButton } from '#domain/jobs/undo-button.tsx';
import { useJobTexts } from '#domain/jobs/use-job-texts.ts';
import type { KnownJob } from '#domain/jobs/use-undo.ts';
import { BellIcon, BellList, BellText } from '#domain/messages/bell-entry.tsx';
import { WithDays } from '#kit/ui/with-days.tsx';
import { formatSince, formatTime } from '#platform/format/format-moment.ts';
import { BellNothing, TO_ALL } from './bell-parts.tsx';

const UNDO_MS = UNDO_MINUTES * 60_000;
/** Rows of results, at most; older results follow those of the last hour. */
const ROWS = 6;

const endOf = ({ finished_at, created_at }: Job) => Date.parse(finished_at ?? created_at ?? '');
const isFromLastHour = (job: Job) => isRunning(job) || Date.now() - endOf(job) < UNDO_MS;

/** The jobs that are running and the results of the last hour, which are the same on all devices of the account. */
export function BellResults({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('bulk');
  const { data: jobs = [] } = useQuery(jobsQuery());
  const known = jobs.filter((job): job is KnownJob => job.id !== null);
  const lately = known.filter((job) => isOpen(job) || isFromLastHour(job));
  const shown = known.filter((job, index) => lately.includes(job) || index < ROWS);
  return (
    <>
      {lately.length === 0 ? (
        <NothingLately />
      ) : (
        <BellList>
          {shown.map((job) => (
            <Result key={job.id} job={job} onClose={onClose} />
          ))}
        </BellList>
      )}
      <Link to="/users/all" search={{ job: 'recent' }} className={TO_ALL} onClick={onClose}>
        {t('recent.all')}
      </Link>
    </>
  );
}

function NothingLately() {
  const { t } = useTranslation('bulk');
  return <BellNothing icon={<History size={56} />}>{t('recent.nothing')}</BellNothing>;
}

function looksOf(job: Job): Pick<ComponentProps<typeof BellIcon>, 'Icon' | 'tone'> {
  if (isRunning(job)) return { Icon: LoaderCircle };
  if (job.failed > 0 || job.state === 'cancelled') return { Icon: TriangleAlert, tone: 'warning' };
  if (job.not_synced > 0) return { Icon: CloudAlert, tone: 'warning' };
  if (job.action === 'undo') return { Icon: Undo2 };
  return { Icon: Check, tone: job.can_undo ? 'success' : undefined };
}

function Result({ job, onClose }: { job: KnownJob; onClose: () => void }) {
  const { name, said } = useJobTexts();
  const { Icon, tone } = looksOf(job);
  return (
    <li className="flex items-start gap-4 phone:gap-3">
      <BellIcon Icon={Icon} tone={tone} />
      <BellText>
        <b>
          <JobLink job={job} onClose={onClose}>
            <WithDays>{isRunning(job) ? name(job) : said(job)}</WithDays>
          </JobLink>
        </b>
        {isRunning(job) ? <Progress job={job} /> : <About job={job} onClose={onClose} />}
      </BellText>
      {job.can_undo && <UndoButton job={job} />}
    </li>
  );
}

interface JobLinkProps {
  job: KnownJob;
  onClose: () => void;
  children: ReactNode;
}

/** Links to the line that was sold or renewed; for a job with several lines, opens the job's details. */
function JobLink({ job, onClose, children }: JobLinkProps) {
  const { id, action, line_id, done, undone_by } = job;
  const isOfLine = (action === 'sell' || action === 'renew') && done === 1 && !undone_by;
  if (isOfLine && line_id) {
    return (
      <Link to="/users/$id" params={{ id: line_id }} onClick={onClose}>
        {children}
      </Link>
    );
  }
  return (
    <Link to="/users/all" search={{ job: id }} onClick={onClose}>
      {children}
    </Link>
  );
}

function Progress({ job }: { job: Job }) {
  const { t } = useTranslation('bulk');
  const { name, progress } = useJobTexts();
  return (
    <>
      <progress
        className="block w-full h-2 mt-2 mx-0 mb-1"
        aria-label={name(job)}
        max={Math.max(job.total, 1)}
        value={job.done + job.failed + job.skipped}
      />
      <p>
        {progress(job)}. {t('mayLeave')}
      </p>
    </>
  );
}

const cannotBeUndone: Job['action'][] = ['delete', 'export', 'undo', 'readdress'];

/** Price and time of a job, what remains to be done about it, and the time until which it can be undone. */
function About({ job, onClose }: { job: KnownJob; onClose: () => void }) {
  const { t, i18n } = useTranslation('bulk');
  const { waits, problems } = useJobTexts();
  const { cost, not_synced, can_undo, undone_by, action } = job;
  const isSaid = action === 'import' || job.total > 1;
  const ended = endOf(job);
  const undo = () => {
    if (undone_by) return [t('recent.undone')];
    if (can_undo) {
      return [t('recent.undoUntil', { time: formatTime(ended + UNDO_MS, i18n.language) })];
    }
    return isFromLastHour(job) || cannotBeUndone.includes(action) ? [] : [t('recent.tooLate')];
  };
  const parts = [
    ...(cost > 0 && !isSaid ? [t('credits.amount', { count: cost })] : []),
    ...(cost < 0 ? [t('said.back', { credits: t('credits.amount', { count: -cost }) })] : []),
    formatSince(ended, i18n.language),
    ...(job.done > 0 ? problems(job) : []),
    ...undo(),
  ];
  return (
    <p>
      {parts.join(' · ')}
      {job.to_tell > 0 && (
        <>
          {' · '}
          <Link to="/users/tell/$id" params={{ id: job.id }} className="link" onClick={onClose}>
            {t('customers', { count: job.to_tell })}
          </Link>
        </>
      )}
      {not_synced > 0 && (
        <>
          {' · '}
          <Link to="/users/all" search={{ sync: 'failed' }} className="link" onClick={onClose}>
            {waits(job)}
          </Link>
        </>
      )}
    </p>
  );
}
