import { cancelJob, type Job } from '@linekeeper/contract/lines/bulk.ts';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../shared/browser/use-is-phone.ts';
import { useCommand } from '../../shared/commands/use-command.ts';
import {
  changedByJobs,
  isOneRenewal,
  isOneUndone,
  isRunning,
  mayCancel,
} from '../../shared/jobs/queries.ts';
import { useJobTexts } from '../../shared/jobs/use-job-texts.ts';
import { unwatchJob } from '../../shared/jobs/watched-jobs.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { useDockedHeight } from '../../shared/ui/use-docked-height.ts';
import { Caption, Muted, Row } from '../../shared/ui/vocabulary.tsx';
import { EndedPanel, type KnownJob, RenewedPanel, UndonePanel } from './ended-panels.tsx';
import styles from './jobs.module.css';
import { ProgressBar } from './progress-bar.tsx';
import { useJobAddress } from './use-job-address.ts';

const AT_ONCE = 2;
const AT_ONCE_ON_PHONE = 1;

/** On a phone a newer result takes the place of a renewal, whose Undo lives on in the bell. */
function useNewestOnly(jobs: readonly KnownJob[], isPhone: boolean): void {
  useEffect(() => {
    if (!isPhone) return;
    for (const job of jobs.slice(AT_ONCE_ON_PHONE)) if (isOneRenewal(job)) unwatchJob(job.id);
  }, [jobs, isPhone]);
}

/** At the foot of every page: running jobs, and for a moment those that ended. */
export function JobPanels({ jobs }: { jobs: Job[] }) {
  const { t } = useTranslation('bulk');
  const address = useJobAddress();
  const aside = useRef<HTMLElement>(null);
  useDockedHeight(aside, '--docked-cards');
  const known = jobs.filter((job): job is KnownJob => job.id !== null);
  const isPhone = useIsPhone();
  const atOnce = isPhone ? AT_ONCE_ON_PHONE : AT_ONCE;
  const more = known.length - atOnce;
  useNewestOnly(known, isPhone);
  return (
    <aside ref={aside} className={styles.panels} aria-label={t('panels')}>
      {more > 0 && !isPhone && (
        // Older jobs can still be undone or retried, in the list of recent jobs.
        <Button size="small" onClick={() => address.open('recent')}>
          {t('moreJobs', { count: more })}
        </Button>
      )}
      {known.slice(0, atOnce).map((job) => {
        const Panel = panelOf(job);
        return <Panel key={job.id} job={job} />;
      })}
    </aside>
  );
}

function panelOf(job: Job) {
  if (isRunning(job)) return RunningPanel;
  if (isOneRenewal(job)) return RenewedPanel;
  return isOneUndone(job) ? UndonePanel : EndedPanel;
}

function RunningPanel({ job }: { job: KnownJob }) {
  const { t } = useTranslation('bulk');
  const { name, progress } = useJobTexts();
  const address = useJobAddress();
  const cancel = useCommand(cancelJob, { params: { id: job.id }, refreshes: changedByJobs });
  const isPhone = useIsPhone();
  return (
    <section className={styles.panel} aria-label={name(job)}>
      <Row align="stretch" gap={8} justify="between" className={styles.panelHead}>
        <b>{name(job)}</b>
        <Muted rigid>{progress(job)}</Muted>
      </Row>
      <ProgressBar job={job} />
      <Row className={styles.panelFoot}>
        {!isPhone && <Caption as="p">{t('mayLeave')}</Caption>}
        <Button variant="text" size="small" onClick={() => address.open(job.id)}>
          {t('details')}
        </Button>
        {!isPhone && mayCancel(job) && (
          <Button
            variant="text"
            size="small"
            pending={cancel.isPending}
            onClick={() => void cancel.send()}
          >
            {t('stop')}
          </Button>
        )}
      </Row>
    </section>
  );
}
