import MenuItem from '@mui/material/MenuItem';
import MenuList from '@mui/material/MenuList';
import { Link } from '@tanstack/react-router';
import { CircleUserRound, LogOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../i18n/use-error-text.ts';
import { paths } from '../paths.ts';
import { useMe, useSignOut } from '../session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { toast } from '../ui/toast.ts';
import { displayName, nameOfEmail } from './display-name.ts';
import styles from './header.module.css';
import { HeaderPopover } from './header-popover.tsx';
import { closeOnTab } from './language-menu.tsx';

export function AccountMenu() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const me = useMe();
  const signOut = useSignOut();
  const name = displayName(me);
  const leave = () =>
    signOut.mutate(undefined, { onError: (error) => toast.error(errorText(error)) });
  return (
    <HeaderPopover
      label={t('nav.accountMenu')}
      width={264}
      trigger={(props) => (
        <IconButton label={t('header.account', { name })} {...props}>
          <Avatar name={name} size={32} />
        </IconButton>
      )}
    >
      {(close) => (
        <>
          <div className={styles.popoverHead}>
            <Avatar name={name} />
            <span className={styles.accountName}>
              <b>{nameOfEmail(me.email)}</b>
              <span>{me.email}</span>
            </span>
          </div>
          <hr />
          <MenuList
            autoFocusItem
            disablePadding
            aria-label={t('nav.accountMenu')}
            onKeyDown={closeOnTab(close)}
          >
            <MenuItem component={Link} to={paths.profile()} onClick={close}>
              <CircleUserRound size={20} aria-hidden="true" />
              {t('nav.profile')}
            </MenuItem>
            <li className={styles.separator} aria-hidden="true" />
            <MenuItem className={styles.danger ?? ''} disabled={signOut.isPending} onClick={leave}>
              <LogOut size={20} aria-hidden="true" />
              {t('nav.signOut')}
            </MenuItem>
          </MenuList>
        </>
      )}
    </HeaderPopover>
  );
}
