import { useTranslation } from 'react-i18next';
import { Button } from '#kit/ui/buttons/button.tsx';
import { type KnownJob, useUndo } from './use-undo.ts';

interface UndoButtonProps {
  job: KnownJob;
  /** Called with the id of the job that undoes this one. */
  onFollowed?: ((id: string) => void) | undefined;
}

export function UndoButton({ job, onFollowed }: UndoButtonProps) {
  const { t } = useTranslation('bulk');
  const { undo, isPending } = useUndo(onFollowed);
  return (
    <Button variant="text" size="small" pending={isPending} onClick={() => void undo(job)}>
      {t('action.undo')}
    </Button>
  );
}
