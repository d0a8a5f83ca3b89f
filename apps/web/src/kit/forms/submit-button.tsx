import type { ReactNode } from 'react';
import { Button } from '#kit/ui/buttons/button.tsx';

interface SubmitButtonProps {
  pending: boolean;
  children: ReactNode;
  /** The reason why the form cannot be submitted yet. */
  blocked?: string | undefined;
  tone?: 'primary' | 'danger';
  size?: 'small' | 'medium' | 'large';
  fullWidth?: boolean;
  /** Id of the form, for a button outside of it. */
  form?: string;
}

/** The button that submits a form. It is enabled except while submitting or when `blocked`. */
export function SubmitButton({ pending, children, ...look }: SubmitButtonProps) {
  return (
    <Button type="submit" variant="solid" pending={pending} {...look}>
      {children}
    </Button>
  );
}
