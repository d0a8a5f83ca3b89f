import { createLink, type LinkProps } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { type ButtonLook, buttonLook } from './button.tsx';

interface AnchorProps extends ButtonLook, AnchorHTMLAttributes<HTMLAnchorElement> {
  ref?: Ref<HTMLAnchorElement>;
}

function ButtonAnchor({ variant, tone, size, fullWidth, icon, children, ...rest }: AnchorProps) {
  return (
    <a {...rest} {...buttonLook({ variant, tone, size, fullWidth })}>
      {icon}
      {children}
    </a>
  );
}

export const ButtonLink = createLink(ButtonAnchor);

interface AddLinkProps extends Pick<ButtonLook, 'variant'> {
  to: LinkProps['to'];
  children: ReactNode;
}

/** A link to the page that adds an entry to a list. */
export function AddLink({ variant = 'solid', ...rest }: AddLinkProps) {
  return <ButtonLink {...rest} variant={variant} icon={<Plus aria-hidden="true" />} />;
}
