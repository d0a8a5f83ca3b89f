import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';

interface SubmitButtonProps {
  pending: boolean;
  children: ReactNode;
  size?: 'small' | 'medium' | 'large';
  fullWidth?: boolean;
}

/** Always enabled except while its form is being sent: a disabled button explains nothing. */
export function SubmitButton({ pending, children, ...look }: SubmitButtonProps) {
  return (
    <Button type="submit" variant="solid" pending={pending} {...look}>
      {children}
    </Button>
  );
}
