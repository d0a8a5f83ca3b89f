import { useQuery } from '@tanstack/react-query';
import { jobQuery } from '#domain/jobs/queries.ts';
import { UndoButton } from '#domain/jobs/undo-button.tsx';

interface UndoSaleProps {
  jobId: string;
  onUndone: () => void;
}

/** Takes back the line that was just sold, until anybody has changed it. */
export function UndoSale({ jobId, onUndone }: UndoSaleProps) {
  const { data: job } = useQuery(jobQuery(jobId, 'none'));
  if (!job?.can_undo) return null;
  return <UndoButton size="medium" job={{ ...job, id: jobId }} onFollowed={onUndone} />;
}
