import MenuItem from '@mui/material/MenuItem';
import { CircleUserRound, LogOut, Settings } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMe, useSignOut } from '../data/session.ts';
import { useErrorText } from '../i18n/use-error-text.ts';
import { toast } from '../state/toast.ts';
import { Avatar } from '../ui/avatar.tsx';
import { MenuLink } from '../ui/buttons/menu-link.tsx';
import { TypedText } from '../ui/typed-text.tsx';
import { displayName, nameOfEmail } from './display-name.ts';
import styles from './header.module.css';
import { HeaderPanel, PanelMenu } from './header-panel.tsx';
import type { HeaderPanelProps } from './header-popover.tsx';

/** The signed-in account, links to its profile and its settings, and Sign out. */
export function AccountPanel(props: HeaderPanelProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const me = useMe();
  const signOut = useSignOut();
  const leave = () =>
    signOut.mutate(undefined, { onError: (error) => toast.error(errorText(error)) });
  return (
    <HeaderPanel {...props} label={t('nav.accountMenu')} width={264}>
      <div className={styles.popoverHead}>
        <Avatar accountId={me.id} name={displayName(me)} />
        <span className={styles.accountName}>
          <b>
            <TypedText>{nameOfEmail(me.email)}</TypedText>
          </b>
          <span>
            <TypedText>{me.email}</TypedText>
          </span>
        </span>
      </div>
      <hr />
      <PanelMenu label={t('nav.accountMenu')} onClose={props.onClose}>
        <MenuLink to="/profile/edit" onClick={props.onClose}>
          <CircleUserRound size={20} aria-hidden="true" />
          {t('nav.profile')}
        </MenuLink>
        <MenuLink to="/settings" onClick={props.onClose}>
          <Settings size={20} aria-hidden="true" />
          {t('nav.settings')}
        </MenuLink>
        <li className={styles.separator} aria-hidden="true" />
        <MenuItem className={styles.danger ?? ''} disabled={signOut.isPending} onClick={leave}>
          <LogOut size={20} aria-hidden="true" />
          {t('nav.signOut')}
        </MenuItem>
      </PanelMenu>
    </HeaderPanel>
  );
}
