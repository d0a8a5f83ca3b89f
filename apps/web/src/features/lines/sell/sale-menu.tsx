import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { jobQuery } from '#domain/jobs/queries.ts';
import { useUndo } from '#domain/jobs/use-undo.ts';
import type { MoreEntry } from '#kit/overlays/more-list.tsx';
import { MoreMenu } from '#kit/overlays/more-menu.tsx';

interface SaleMenuProps {
  line: Line;
  /** Job of the sale, if it can be undone. */
  jobId: string | null;
  entries: readonly MoreEntry[];
  onUndone: () => void;
}

/**
 * The menu with further actions to hand a line over, and with the undo of its sale while nobody has changed the line.
 */
export function SaleMenu({ line, jobId, entries, onUndone }: SaleMenuProps) {
  const { t } = useTranslation('bulk');
  const { data: job } = useQuery({ ...jobQuery(jobId ?? '', 'none'), enabled: jobId !== null });
  const { undo } = useUndo(onUndone);
  return (
    <MoreMenu
      label={t('moreOf', { name: line.username })}
      size="medium"
      entries={[
        ...entries,
        jobId !== null &&
          job?.can_undo === true && {
            name: 'undo',
            icon: Undo2,
            text: t('action.undo'),
            act: () => void undo({ ...job, id: jobId }),
          },
      ]}
    />
  );
}
