import { signOut } from '@linekeeper/contract/auth/auth.ts';
import { CircleUserRound, LogOut, Settings } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { MenuItem, MenuLink, MenuList } from '#kit/overlays/menu.tsx';
import { Avatar } from '#kit/ui/avatar.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { displayName, nameOfEmail } from '#platform/data/display-name.ts';
import { endSession, useMe } from '#platform/data/session.ts';
import { HeaderMenuPanel } from './header-panel.tsx';
import type { HeaderPanelProps } from './header-popover.tsx';

export function AccountPanel(props: HeaderPanelProps) {
  const { t } = useTranslation();
  const me = useMe();
  // The session is ended only after the panel's reply, because without a reply it still exists.
  const leaving = useCommand(signOut, { done: () => endSession('signed-out') });
  return (
    <HeaderMenuPanel {...props} label={t('nav.accountMenu')} width={264}>
      <div className="flex items-center gap-3 pt-2 px-3 pb-1">
        <Avatar accountId={me.id} name={displayName(me)} />
        <span className="grid grid-cols-1 min-w-0 wrap-anywhere">
          <b className="type-strong truncate">
            <TypedText>{nameOfEmail(me.email)}</TypedText>
          </b>
          <span className="text-text-2 type-caption truncate">
            <TypedText>{me.email}</TypedText>
          </span>
        </span>
      </div>
      <hr />
      <MenuList aria-label={t('nav.accountMenu')}>
        <MenuLink to="/profile/edit" onClick={props.onClose}>
          <CircleUserRound size={20} />
          {t('nav.profile')}
        </MenuLink>
        <MenuLink to="/settings" onClick={props.onClose}>
          <Settings size={20} />
          {t('nav.settings')}
        </MenuLink>
        <hr />
        <MenuItem
          className="text-danger [&>svg]:text-danger"
          disabled={leaving.isPending}
          onClick={() => void leaving.send()}
        >
          <LogOut size={20} />
          {t('nav.signOut')}
        </MenuItem>
      </MenuList>
    </HeaderMenuPanel>
  );
}
