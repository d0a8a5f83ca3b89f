import MenuItem, { type MenuItemProps } from '@mui/material/MenuItem';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

export type MenuLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> &
  Pick<MenuItemProps, 'disabled' | 'autoFocus'> & { ref?: Ref<HTMLAnchorElement> };

export const MenuLink = createLink((props: MenuLinkProps) => <MenuItem component="a" {...props} />);
