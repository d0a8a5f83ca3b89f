import MenuItem, { type MenuItemProps } from '@mui/material/MenuItem';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> &
  Pick<MenuItemProps, 'disabled' | 'autoFocus'> & { ref?: Ref<HTMLAnchorElement> };

export const MenuLink = createLink((props: AnchorProps) => <MenuItem component="a" {...props} />);
