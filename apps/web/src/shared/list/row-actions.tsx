import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useIsPhone } from '../browser/use-is-phone.ts';
import { Button } from '../ui/buttons/button.tsx';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { Row } from '../ui/vocabulary.tsx';

/** The buttons of a row. A card of a phone places them itself, and draws nothing around none. */
export function RowActions({ children }: { children: ReactNode }) {
  return useIsPhone() ? (
    children
  ) : (
    <Row as="span" gap={8} justify="end">
      {children}
    </Row>
  );
}

/** The size of a button with words in a row or on a card. */
export function useRowButtonSize() {
  return useIsPhone() ? 'medium' : 'small';
}

interface QuietActionProps {
  /** Says which row it is about. */
  label: string;
  text: string;
  icon: LucideIcon;
  variant?: 'outlined' | 'text';
  pending?: boolean;
  blocked?: string | undefined;
  onClick: () => void;
}

/** An icon in a row, which has no room for words; on a phone words. */
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
