import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRunning, jobQuery } from '#domain/jobs/queries.ts';
import { type KnownJob, useUndo } from '#domain/jobs/use-undo.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';
import type { Renewed } from './use-due-lines.ts';

interface UndoRenewalProps {
  line: Line;
  renewed: Renewed;
  onUndone: () => void;
}

/**
 * The button that undoes a renewal. All of its credits are refunded, because the time that was bought is in the future.
 */
export function UndoRenewal({ line, renewed: { jobId }, onUndone }: UndoRenewalProps) {
  const { t } = useTranslation('dashboard');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [undoing, setUndoing] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const { undo, isPending } = useUndo(setUndoing);
  const { data: job, error } = useQuery({
    ...jobQuery(undoing ?? '', 'none'),
    enabled: undoing !== undefined,
  });
  useEffect(() => {
    if (!job || isRunning(job)) return;
    if (job.done > 0) return onUndone();
    setUndoing(undefined);
    results.error(t('today.notUndone', { username: line.username }));
  }, [job, onUndone, t, line.username]);
  useEffect(() => {
    // On a later reload, the job is fetched again.
    if (!error || job) return;
    setUndoing(undefined);
    results.error(errorText(error));
  }, [error, job, errorText]);
  if (jobId === null) return null;
  const press = async () => {
    setAsking(true);
    try {
      const renewal = await queryClient.fetchQuery(jobQuery(jobId, 'none'));
      await undo(renewal as KnownJob);
    } catch (error) {
      results.error(errorText(error));
    } finally {
      setAsking(false);
    }
  };
  return (
    <Button
      variant="text"
      pending={isAsking || isPending || undoing !== undefined}
      aria-label={t('actionOf', { action: t('action.undo'), name: line.username })}
      onClick={() => void press()}
    >
      {t('action.undo')}
    </Button>
  );
}
