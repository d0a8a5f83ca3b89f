import { useState } from 'react';
import { ListToolbar } from '../../../shared/list/list-toolbar.tsx';
import { useSelection } from '../../../shared/list/selection/selection-context.tsx';
import { BulkBarPlaceholder } from '../../../shared/list/toolbar.tsx';
import { lazyComponent } from '../../../shared/start/lazy-component.tsx';
import type { PreviewedAction } from '../bulk/bulk-change.ts';

const LinesBulkBar = lazyComponent(
  async () => (await import('../bulk/bulk-bar.tsx')).LinesBulkBar,
  {
    before: BulkBarPlaceholder,
    texts: 'bulk',
  },
);

/**
 * Search and filters, or the bulk actions while lines are selected; below them the filter chips.
 */
export function LinesToolbar() {
  const { question } = useSelection();
  return (
    <ListToolbar>
      <SelectionBar key={question} />
    </ListToolbar>
  );
}

/** Shown while lines are selected, or a bulk dialog is open. */
function SelectionBar() {
  const { isEmpty } = useSelection();
  const [action, setAction] = useState<PreviewedAction>();
  if (isEmpty && !action) return null;
  return <LinesBulkBar action={action} onAction={setAction} />;
}
