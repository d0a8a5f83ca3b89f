import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Tooltip } from '#kit/overlays/tooltip.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { useLineDialogs } from './actions.tsx';

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
    <Tooltip text={t(`line.name.${problem}`)} className="flex-none ms-auto [&_svg]:text-warning-fg">
      {(reasonId) => (
        <IconButton {...rename} size="tiny" title="" aria-describedby={reasonId}>
          <TriangleAlert size={16} />
        </IconButton>
      )}
    </Tooltip>
  );
}
