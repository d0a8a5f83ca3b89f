import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { MoreMenu } from '#kit/overlays/more-menu.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';

/**
 * The buttons of a row, at its end in a table. On a phone they have no element around them, because the card places
 * them.
 */
export function RowActions({ children }: { children: ReactNode }) {
  return useIsPhone() ? (
    children
  ) : (
    <span className="flex items-center justify-end gap-2">{children}</span>
  );
}

/** The size of a button with words in a row or on a card. */
export function useRowButtonSize() {
  return useIsPhone() ? 'medium' : 'small';
}

interface QuietActionProps {
  /** Label that names the row. */
  label: string;
  text: string;
  icon: LucideIcon;
  variant?: 'outlined' | 'text';
  pending?: boolean;
  onClick: () => void;
}

/** A button of a row that is only an icon in a table, and has words on a phone. */
export function QuietAction(props: QuietActionProps) {
  const { label, text, icon: Icon, variant = 'outlined', pending = false, ...rest } = props;
  return useIsPhone() ? (
    <Button variant={variant} aria-label={label} pending={pending} {...rest}>
      {text}
    </Button>
  ) : (
    <IconButton size="small" label={label} disabled={pending} {...rest}>
      <Icon size={18} aria-hidden="true" />
    </IconButton>
  );
}

/** Props of a dialog about one row. */
export interface RowDialogProps<Row> {
  row: Row;
  onClose: () => void;
}

interface RowMenuEntry<Row> {
  name: string;
  icon: LucideIcon;
  text: string;
  act?: () => void;
  pending?: boolean;
  /** True for a button beside the menu on a phone, if there is room. */
  isButtonOnPhone?: boolean;
  /** The dialog to open instead of an action. */
  Dialog?: (props: RowDialogProps<Row>) => ReactNode;
}

interface RowMenuProps<Row> {
  row: Row;
  /** Label that names the row. */
  label: string;
  /** The entries; false for actions that are not available now. */
  entries: readonly (RowMenuEntry<Row> | false)[];
}

/** The menu of actions on a row, many of which open a dialog first. */
export function RowMenu<Row>({ row, label, entries }: RowMenuProps<Row>) {
  const isPhone = useIsPhone();
  const [asked, setAsked] = useState<string>();
  const shown = entries.filter((entry) => entry !== false);
  const isButton = ({ isButtonOnPhone }: RowMenuEntry<Row>) => isPhone && isButtonOnPhone === true;
  const Dialog = shown.find(({ name }) => name === asked)?.Dialog;
  return (
    <>
      {shown.filter(isButton).map(({ name, text, act, pending = false }) => (
        <Button key={name} variant="soft" pending={pending} onClick={act}>
          {text}
        </Button>
      ))}
      <MoreMenu
        label={label}
        entries={shown
          .filter((entry) => !isButton(entry))
          .map(({ name, icon, text, act = () => setAsked(name) }) => ({ name, icon, text, act }))}
      />
      {Dialog && <Dialog row={row} onClose={() => setAsked(undefined)} />}
    </>
  );
}
