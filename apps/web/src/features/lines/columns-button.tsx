import { type LineColumn, lineColumns } from '@linekeeper/contract/preferences.ts';
import Popover from '@mui/material/Popover';
import { Columns3 } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChangePreferences, usePreferences } from '../../shared/preferences.ts';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import panelStyles from './filter-panel.module.css';
import styles from './toolbar.module.css';
import { useOfferedColumns } from './use-shown-columns.ts';

/** Chooses the columns. Each change is seen at once; when it closes, all of them can be undone. */
export function ColumnsButton() {
  const { t } = useTranslation('lines');
  const { columns } = usePreferences();
  const { change, offerUndo } = useChangePreferences();
  const [isOpen, setOpen] = useState(false);
  const before = useRef(columns);
  const button = useRef<HTMLButtonElement>(null);
  const open = () => {
    before.current = columns;
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    const isChanged = before.current.join() !== columns.join();
    if (isChanged) offerUndo(t('columnsMenu.changed'), { columns: before.current });
  };
  const toggle = (column: LineColumn, isOn: boolean) =>
    change({
      columns: lineColumns.filter((one) => (one === column ? isOn : columns.includes(one))),
    });
  return (
    <span className={styles.tableOnly}>
      <IconButton
        ref={button}
        label={t('columnsMenu.title')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={open}
      >
        <Columns3 size={20} aria-hidden="true" />
      </IconButton>
      <Popover
        open={isOpen}
        onClose={close}
        anchorEl={() => button.current}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          paper: { role: 'dialog', 'aria-label': t('columnsMenu.title'), sx: { mt: 1 } },
        }}
      >
        <ColumnChoices columns={columns} onToggle={toggle} />
      </Popover>
    </span>
  );
}

interface ColumnChoicesProps {
  columns: readonly LineColumn[];
  onToggle: (column: LineColumn, isOn: boolean) => void;
}

function ColumnChoices({ columns, onToggle }: ColumnChoicesProps) {
  const { t } = useTranslation('lines');
  const id = useId();
  const offered = useOfferedColumns();
  return (
    <div className={styles.columns}>
      <h2>{t('columnsMenu.title')}</h2>
      {offered.map((column) => (
        <label key={column} htmlFor={`${id}-${column}`} className={panelStyles.option}>
          <Checkbox
            id={`${id}-${column}`}
            checked={columns.includes(column)}
            onChange={({ target }) => onToggle(column, target.checked)}
          />
          <span>{t(`columns.${column}`)}</span>
        </label>
      ))}
    </div>
  );
}
