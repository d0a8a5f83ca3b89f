import { Columns3 } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Popover } from '#kit/overlays/late-overlays.ts';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Checkbox } from '#kit/ui/controls/checkbox.tsx';
import { Row, Text } from '#kit/ui/vocabulary.tsx';
import { prefetchOnceUsed } from '#platform/start/later.tsx';
import panelStyles from './filters/filter-panel.module.css';
import styles from './list.module.css';
import { useListDefinition } from './use-list.ts';
import {
  useChangeListPreferences,
  useListPreferences,
  useOfferedColumns,
} from './use-list-preferences.ts';

/**
 * Chooses the visible columns. Changes apply at once; after closing, their result can undo all of them.
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
    <Row as="span" align="stretch" inline onlyWide>
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
    </Row>
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
    <div className={styles.columns}>
      <Text as="h2" below={8}>
        {t('field.columns')}
      </Text>
      {offered.map((column) => (
        <Row
          key={column}
          htmlFor={`${id}-${column}`}
          as="label"
          gap={12}
          className={panelStyles.option}
        >
          <Checkbox
            id={`${id}-${column}`}
            checked={columns.includes(column)}
            onChange={({ target }) => onToggle(column, target.checked)}
          />
          <span>{texts.column(column)}</span>
        </Row>
      ))}
    </div>
  );
}
