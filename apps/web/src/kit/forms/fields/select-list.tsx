import MenuItem from '@mui/material/MenuItem';
import { Menu } from '#kit/overlays/overlays.tsx';
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
      open
      anchorEl={anchor}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'center' }}
      transformOrigin={{ vertical: 'top', horizontal: 'center' }}
      // Inside the main landmark, where assistive technology expects the parts of a form.
      disablePortal
      onClose={onClose}
      slotProps={{
        paper: { style: { minWidth: anchor.clientWidth } },
        list: { id, role: 'listbox', 'aria-labelledby': labelId },
      }}
    >
      {options.map((option) => (
        <MenuItem
          key={option.value}
          role="option"
          selected={option.value === value}
          aria-selected={option.value === value}
          disabled={option.disabled ?? false}
          onClick={() => onChoose(option.value)}
        >
          <OptionText option={option} />
        </MenuItem>
      ))}
    </Menu>
  );
}
