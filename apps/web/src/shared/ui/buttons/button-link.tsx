import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
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
