import { useTranslation } from 'react-i18next';
import { useMe } from '../data/session.ts';
import { lazyComponent } from '../start/lazy-component.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { displayName } from './display-name.ts';
import { HeaderPopover } from './header-popover.tsx';

export const AccountPanel = lazyComponent(
  async () => (await import('./account-panel.tsx')).AccountPanel,
  {
    isOpen: ({ anchor }) => anchor,
  },
);

export function AccountMenu() {
  const { t } = useTranslation();
  const me = useMe();
  const name = displayName(me);
  return (
    <HeaderPopover
      panel={AccountPanel}
      trigger={(props) => (
        <IconButton label={t('header.account', { name })} {...props}>
          <Avatar accountId={me.id} name={name} size={32} />
        </IconButton>
      )}
    />
  );
}
