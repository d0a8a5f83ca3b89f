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

/** Props of a button that opens the dialog for a username short enough to be sent as a whole by CCcam clients. */
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

/** The mark of a username with a problem in a table, which has no room for the reason. */
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
