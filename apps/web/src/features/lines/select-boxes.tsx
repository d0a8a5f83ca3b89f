import type { Line } from '@linekeeper/contract/lines.ts';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import styles from './select-boxes.module.css';
import { useSelection } from './use-selection.tsx';

/** Chooses all lines on the page, or none of them. */
export function SelectPage({ lines }: { lines: Line[] }) {
  const { t } = useTranslation('lines');
  const { isSelected, togglePage } = useSelection();
  const selected = lines.filter(({ id }) => isSelected(id)).length;
  const isAll = selected > 0 && selected === lines.length;
  return (
    <span className={styles.target}>
      <Checkbox
        fillsParent
        label={t('select.page')}
        checked={isAll}
        isMixed={selected > 0 && !isAll}
        disabled={lines.length === 0}
        onChange={({ target }) => togglePage(lines, target.checked)}
      />
    </span>
  );
}

/** Chooses one line; with Shift all from the line chosen before. */
export function SelectLine({ line, lines }: { line: Line; lines: Line[] }) {
  const { t } = useTranslation('lines');
  const { isSelected, toggle } = useSelection();
  const choose = (event: Event) =>
    toggle(lines, line.id, event instanceof MouseEvent && event.shiftKey);
  return (
    <span className={styles.target}>
      <Checkbox
        fillsParent
        label={t('select.one', { username: line.username })}
        checked={isSelected(line.id)}
        onChange={({ nativeEvent }) => choose(nativeEvent)}
      />
    </span>
  );
}
