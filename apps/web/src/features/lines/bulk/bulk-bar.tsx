import type { Job } from '@linekeeper/contract/lines/bulk.ts';
import {
  ArrowRightLeft,
  CalendarPlus,
  CirclePause,
  CirclePlay,
  Download,
  Layers,
  Pencil,
  Trash2,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useStartJob } from '#domain/jobs/queries.ts';
import { requestDownload } from '#domain/jobs/watched-jobs.ts';
import { usePlansOnSale } from '#domain/prices/plans.ts';
import { focusList } from '#features/lines/focus-list.ts';
import { BulkBar } from '#kit/list/selection/bulk-bar.tsx';
import type { BulkAction } from '#kit/list/selection/more-actions-menu.tsx';
import { useMe } from '#platform/data/session.ts';
import type { PreviewedAction } from './bulk-change.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import type { BulkLines } from './use-bulk-selection.ts';
import { useBulkSelection } from './use-bulk-selection.ts';

interface LinesBulkBarProps {
  /** The action whose dialog is open. */
  action: PreviewedAction | undefined;
  onAction: (action: PreviewedAction | undefined) => void;
}

export function LinesBulkBar({ action, onAction }: LinesBulkBarProps) {
  const { t } = useTranslation('bulk');
  const { lines, count, total, isExact, clear } = useBulkSelection();
  const hasOrdered = useRef(false);
  // The bar disappears with the selection, and with it the button that would get the focus, so the list gets it.
  useEffect(
    () => () => {
      if (hasOrdered.current) setTimeout(focusList);
    },
    [],
  );
  const actions = useActions(onAction);
  return (
    <BulkBar
      label={t('list.selection')}
      matching={{ total, isExact }}
      actions={actions}
      main={{
        name: 'renew',
        label:
          count === null ? t('action.renew') : t('effect.renew', { lines: t('lines', { count }) }),
        icon: <CalendarPlus />,
        act: () => onAction('renew'),
      }}
    >
      {action && (
        <BulkDialog
          action={action}
          lines={lines}
          count={count}
          onOrdered={() => {
            hasOrdered.current = true;
            onAction(undefined);
            clear();
          }}
          onClose={() => onAction(undefined)}
        />
      )}
    </BulkBar>
  );
}

function useActions(open: (action: PreviewedAction) => void): BulkAction[] {
  const { t } = useTranslation('bulk');
  const { is_admin } = useMe();
  const hasPlans = usePlansOnSale().length > 1;
  const { lines } = useBulkSelection();
  const exportLines = useExport();
  const action = (name: PreviewedAction, icon: ReactNode): BulkAction => ({
    name,
    icon,
    label: t(`action.${name}`),
    act: () => open(name),
  });
  return [
    action('edit', <Pencil />),
    ...(is_admin ? [action('move', <ArrowRightLeft />)] : []),
    {
      name: 'export',
      icon: <Download />,
      label: t('action.export'),
      act: () => exportLines(lines),
    },
    ...(hasPlans ? [{ ...action('change_plan', <Layers />), isInMenu: true }] : []),
    { ...action('resume', <CirclePlay />), isInMenu: true },
    { ...action('suspend', <CirclePause />), isInMenu: true },
    { ...action('delete', <Trash2 />), isDanger: true },
  ];
}

/** Requests a CSV export; the download starts automatically when the job has finished. */
function useExport(): (lines: BulkLines) => void {
  const order = useStartJob();
  const download = ({ job }: { job: Job }) => job.id && requestDownload(job.id);
  return (lines) => void order.send({ action: 'export', ...lines }, { done: download });
}
