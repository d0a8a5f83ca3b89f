import { Menu, MenuItem } from '#kit/overlays/menu.tsx';
import { OptionText, type SelectOption } from './option-text.tsx';

interface SelectListProps {
  id: string;
  labelId: string;
  /** The closed select, which the list is at least as wide as. */
  anchor: HTMLElement;
  value: string;
  options: readonly SelectOption[];
  onChoose: (value: string) => void;
  onClose: () => void;
}

/** The open list of a select. */
export function SelectList(props: SelectListProps) {
  const { id, labelId, anchor, value, options, onChoose, onClose } = props;
  return (
    <Menu
      anchor={anchor}
      align="center"
      // The list is inside the main landmark, where assistive technology expects the parts of a form.
      container={anchor.parentElement}
      onClose={onClose}
      style={{ minWidth: anchor.clientWidth }}
      list={{ id, role: 'listbox', 'aria-labelledby': labelId }}
    >
      {options.map((option) => (
        <MenuItem
          key={option.value}
          role="option"
          aria-selected={option.value === value}
          disabled={option.disabled ?? false}
          onClick={() => onChoose(option.value)}
        >
          <OptionText option={option} place="list" />
        </MenuItem>
      ))}
    </Menu>
  );
}
