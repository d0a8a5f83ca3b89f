import { formatDay, parseDay } from '@linekeeper/contract/dates.ts';
import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { downloadFile } from '../../shared/browser/download-file.ts';
import { useIsPhone } from '../../shared/browser/use-is-phone.ts';
import { csvAddress, jobQuery } from '../../shared/jobs/queries.ts';
import { UndoButton } from '../../shared/jobs/undo-button.tsx';
import { useItemReason } from '../../shared/jobs/use-item-texts.ts';
import { useJobTexts } from '../../shared/jobs/use-job-texts.ts';
import { takeDownloadRequest, unwatchJob } from '../../shared/jobs/watched-jobs.ts';
import { useRetrySync } from '../../shared/lines/use-retry-sync.ts';
import { toast } from '../../shared/state/toast.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { IconButton } from '../../shared/ui/buttons/icon-button.tsx';
import { Caption, Muted, Text } from '../../shared/ui/vocabulary.tsx';
import { JobActions } from './job-actions.tsx';
import styles from './jobs.module.css';
import { useJobAddress } from './use-job-address.ts';

export type KnownJob = Job & { id: string };

interface FrameProps {
  job: KnownJob;
  children: ReactNode;
  actions: ReactNode;
  /** Short enough for what can follow to stand beside it. */
  isShort?: boolean;
}

/** Card of an ended job. Where something failed it stays until it is dismissed. */
function Frame({ job, children, actions, isShort }: FrameProps) {
  const { t } = useTranslation('bulk');
  const { name } = useJobTexts();
  const card = useRef<HTMLElement>(null);
  useLeaves(card, job.failed === 0, () => unwatchJob(job.id));
  const isFine = job.failed === 0 && job.not_synced === 0 && job.state === 'done';
  const Icon = isFine ? CircleCheck : TriangleAlert;
  return (
    <section
      ref={card}
      className={styles.panel}
      aria-label={name(job)}
      data-tone={isFine ? 'success' : 'warning'}
    >
      <Icon size={20} />
      <Text as="div" wraps className={styles.ended} data-short={isShort || undefined}>
        <div className={styles.said}>{children}</div>
        <div className={styles.panelActions}>{actions}</div>
      </Text>
      <IconButton size="small" label={t('putAway')} onClick={() => unwatchJob(job.id)}>
        <X size={20} />
      </IconButton>
    </section>
  );
}

export function EndedPanel({ job }: { job: KnownJob }) {
  const { t } = useTranslation('bulk');
  const { name, result } = useJobTexts();
  const address = useJobAddress();
  const isPhone = useIsPhone();
  const problems = job.failed + job.not_synced;
  const isUndoFirst = isPhone && job.can_undo && problems === 0;
  useEffect(() => {
    if (takeDownloadRequest(job.id)) downloadFile(csvAddress(job.id));
  }, [job.id]);
  return (
    <Frame
      job={job}
      actions={
        <>
          {!isPhone && <JobActions job={job} />}
          {isUndoFirst ? (
            <UndoButton job={job} />
          ) : (
            <Button variant="text" size="small" onClick={() => address.open(job.id)}>
              {t('details')}
            </Button>
          )}
        </>
      }
    >
      <Caption as="p">{name(job)}</Caption>
      <p role="status">
        <b>{result(job)}</b>
      </p>
      {problems > 0 && !isPhone && <FirstReason id={job.id} />}
    </Frame>
  );
}

/** Shows the reason of the first problem, because usually all problems have the same reason. */
function FirstReason({ id }: { id: string }) {
  const reason = useItemReason();
  const { data } = useQuery(jobQuery(id, 'failed'));
  const first = data?.items.find(({ state }) => state === 'failed') ?? data?.items[0];
  return first ? (
    <Muted as="p" twoLines className={styles.reason}>
      {reason(first)}
    </Muted>
  ) : null;
}

/** One line that was put back. Nothing is left to be done about it, so it is said and gone. */
export function UndonePanel({ job }: { job: KnownJob }) {
  const { t } = useTranslation('bulk');
  const { name } = useJobTexts();
  const refunded = t('credits.amount', { count: -job.cost });
  const text = job.cost < 0 ? `${name(job)}. ${t('facts.refunded')}: ${refunded}` : name(job);
  useEffect(() => {
    if (unwatchJob(job.id)) toast.success(text);
  }, [job.id, text]);
  return null;
}

/** One line that was renewed: what it has got, and how it is taken back. */
export function RenewedPanel({ job }: { job: KnownJob }) {
  const { t } = useTranslation('bulk');
  const { name } = useJobTexts();
  const { data } = useQuery(jobQuery(job.id, 'all'));
  const item = data?.items[0];
  const day = parseDay(String(item?.after?.expiry_date ?? ''));
  const isBehind = job.not_synced > 0;
  const isPhone = useIsPhone();
  return (
    <Frame
      job={job}
      isShort={!isBehind}
      actions={
        <>
          {isBehind && !isPhone && item?.line_id && (
            <RetrySyncButton id={item.line_id} username={item.username} />
          )}
          {job.can_undo && <UndoButton job={job} />}
        </>
      }
    >
      <p role="status">
        <b>
          {day ? t('line.renewed', { username: job.username, day: formatDay(day) }) : name(job)}
        </b>
      </p>
      {isBehind &&
        (isPhone ? <p>{t('line.sync.changeNotOnServer')}</p> : <FirstReason id={job.id} />)}
      {job.cost > 0 && (
        <Muted as="p" twoLines className={styles.reason}>
          {t('facts.paid')}: {t('credits.amount', { count: job.cost })}
        </Muted>
      )}
    </Frame>
  );
}

function RetrySyncButton(line: { id: string; username: string }) {
  const { t } = useTranslation();
  const { retry, isPending } = useRetrySync(line);
  return (
    <Button variant="text" size="small" pending={isPending} onClick={() => void retry()}>
      {t('line.sync.retry')}
    </Button>
  );
}

/** How long a result stands on its own; Undo lives on in the bell. */
const SHOWN_MS = 8000;
const TICK_MS = 250;

/** After a finger nothing hovers, though it may seem so; on a phone there is nothing to be read twice. */
const HOLDS = '(hover: hover) and (width >= 600px)';

/** Somebody is at it, or cannot be: the page is out of sight, or a dialog lies over it. */
function isHeld(card: HTMLElement): boolean {
  return (
    document.hidden ||
    card.matches(':focus-within') ||
    (card.matches(':hover') && matchMedia(HOLDS).matches) ||
    card.closest('[aria-hidden="true"]') !== null
  );
}

/** Calls `leave` when the card was in sight for its time; pointer and focus hold it. */
function useLeaves(card: RefObject<HTMLElement | null>, leaves: boolean, leave: () => void): void {
  const onLeave = useEffectEvent(leave);
  useEffect(() => {
    if (!leaves) return;
    let left = SHOWN_MS;
    const timer = setInterval(() => {
      if (!card.current) return;
      left = isHeld(card.current) ? SHOWN_MS : left - TICK_MS;
      if (left <= 0) onLeave();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [card, leaves]);
}
