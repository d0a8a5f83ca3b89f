import { Columns3 } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Popover } from '#kit/overlays/late-overlays.ts';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Checkbox } from '#kit/ui/controls/checkbox.tsx';
import { prefetchOnceUsed } from '#platform/start/later.ts';
import { useListDefinition } from './use-list.ts';
import {
  useChangeListPreferences,
  useListPreferences,
  useOfferedColumns,
} from './use-list-preferences.ts';

/**
 * The button for the choice of visible columns. Changes apply immediately; after the choice is closed, the result
 * offers to undo all of them.
 */
export function ColumnsButton() {
  const { t } = useTranslation();
  const { declaration } = useListDefinition();
  const { columns } = useListPreferences();
  const { change, offerUndo } = useChangeListPreferences();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const before = useRef(columns);
  useEffect(() => prefetchOnceUsed([Popover.fetch]), []);
  const open = (button: HTMLElement) => {
    before.current = columns;
    setAnchor(button);
  };
  const close = () => {
    setAnchor(null);
    const isChanged = before.current.join() !== columns.join();
    if (isChanged) offerUndo(t('list.columns.changed'), { columns: before.current });
  };
  const toggle = (column: string, isOn: boolean) =>
    change({
      columns: declaration.columns.filter((one) => (one === column ? isOn : columns.includes(one))),
    });
  return (
    <span className="inline-flex items-stretch only-wide">
      <IconButton
        label={t('field.columns')}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onPointerEnter={Popover.fetch}
        onFocus={Popover.fetch}
        onClick={({ currentTarget }) => open(currentTarget)}
      >
        <Columns3 size={20} />
      </IconButton>
      <Popover anchor={anchor} align="end" gap={8} aria-label={t('field.columns')} onClose={close}>
        <ColumnChoices columns={columns} onToggle={toggle} />
      </Popover>
    </span>
  );
}

interface ColumnChoicesProps {
  columns: readonly string[];
  onToggle: (column: string, isOn: boolean) => void;
}

function ColumnChoices({ columns, onToggle }: ColumnChoicesProps) {
  const { t } = useTranslation();
  const texts = useListDefinition().useTexts();
  const id = useId();
  const offered = useOfferedColumns();
  return (
    <div className="w-58 py-4 px-5">
      <h2 className="mb-2">{t('field.columns')}</h2>
      {offered.map((column) => (
        <label
          key={column}
          htmlFor={`${id}-${column}`}
          className="flex items-center gap-3 min-h-(--press-small) cursor-pointer [&_input]:flex-none [&_input]:w-4.5 [&_input]:h-4.5 [&_input]:m-0 [&_input]:[accent-color:var(--color-primary)]"
        >
          <Checkbox
            id={`${id}-${column}`}
            checked={columns.includes(column)}
            onChange={({ target }) => onToggle(column, target.checked)}
          />
          <span>{texts.column(column)}</span>
        </label>
      ))}
    </div>
  );
}
