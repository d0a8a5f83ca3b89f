import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { PencilLine, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Tooltip } from '#kit/overlays/tooltip.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { useLineDialogs } from './actions.tsx';
import styles from './cells.module.css';

interface ProblemProps {
  line: Line;
  problem: NonNullable<Line['name_problem']>;
}

/** What a button needs that asks for a name which clients send as a whole. */
export function useRename(line: Line) {
  const { t } = useTranslation();
  const { open } = useLineDialogs();
  return {
    'aria-haspopup': 'dialog' as const,
    label: t('line.name.renameOf', { username: line.username }),
    onClick: ({ currentTarget }: { currentTarget: HTMLElement }) =>
      open({ action: 'rename', line, anchor: currentTarget }),
  };
}

/** Marks a name in a table, where the reason has no room. */
export function NameProblemMark({ line, problem }: ProblemProps) {
  const { t } = useTranslation();
  const rename = useRename(line);
  return (
    <Tooltip text={t(`line.name.${problem}`)} className={styles.nameProblem}>
      {(reasonId) => (
        <IconButton {...rename} size="tiny" title="" aria-describedby={reasonId}>
          <TriangleAlert size={16} />
        </IconButton>
      )}
    </Tooltip>
  );
}

/** The problem with a line's name as text with a button, for cards on a phone. */
export function NameProblemLine({
  line,
  problem,
  className,
}: ProblemProps & { className?: string | undefined }) {
  const { t } = useTranslation();
  const { label, ...rename } = useRename(line);
  return (
    <Tooltip text={t(`line.name.${problem}`)} className={className}>
      {(reasonId) => (
        <>
          <Badge tone="warning" icon={<TriangleAlert />}>
            {t('line.name.long')}
          </Badge>
          <Button
            {...rename}
            variant="text"
            size="small"
            icon={<PencilLine />}
            aria-label={label}
            aria-describedby={reasonId}
          >
            {t('line.name.rename')}
          </Button>
        </>
      )}
    </Tooltip>
  );
}
