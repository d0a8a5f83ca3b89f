import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Tooltip } from '#kit/overlays/tooltip.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { useLineOpener } from './actions.tsx';

interface ProblemProps {
  line: Line;
  problem: NonNullable<Line['name_problem']>;
}

/** The mark of a username with a problem in a table, which has no room for the reason. */
export function NameProblemMark({ line, problem }: ProblemProps) {
  const { t } = useTranslation();
  const rename = useLineOpener(line, 'rename');
  return (
    <Tooltip text={t(`line.name.${problem}`)} className="flex-none ms-auto [&_svg]:text-warning-fg">
      {(reasonId) => (
        <IconButton
          {...rename}
          label={t('line.name.renameOf', { username: line.username })}
          size="tiny"
          title=""
          aria-describedby={reasonId}
        >
          <TriangleAlert size={16} />
        </IconButton>
      )}
    </Tooltip>
  );
}
