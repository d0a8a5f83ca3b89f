import type { Account, AccountAct } from '@linekeeper/contract/accounts/accounts.ts';
import Divider from '@mui/material/Divider';
import MenuItem from '@mui/material/MenuItem';
import { useQuery } from '@tanstack/react-query';
import {
  Ban,
  Coins,
  FolderInput,
  KeyRound,
  type LucideIcon,
  Pencil,
  Scale,
  ShieldOff,
  Undo2,
  UserCheck,
  UserRound,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isolate } from '../../../shared/i18n/isolate.ts';
import { MenuLink } from '../../../shared/ui/buttons/menu-link.tsx';
import { Menu } from '../../../shared/ui/overlays.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import { actsAtOnce } from '../account-acts.ts';
import styles from '../accounts.module.css';
import { accountTwoFactorQuery } from '../queries.ts';

const icons: Record<AccountAct, LucideIcon> = {
  addCredits: Coins,
  takeBack: Undo2,
  setCredits: Scale,
  resetLink: KeyRound,
  edit: Pencil,
  move: FolderInput,
  twoFactorOff: ShieldOff,
  ban: Ban,
  unban: UserCheck,
};

interface AccountMenuProps {
  account: Account;
  anchor: HTMLElement | null;
  hasOpen: boolean;
  onChoose: (act: AccountAct) => void;
  onClose: () => void;
}

export function AccountMenu({ account, anchor, hasOpen, onChoose, onClose }: AccountMenuProps) {
  const { t } = useTranslation(['account', 'accounts']);
  const blocked = useNeedsConnection();
  const { data: twoFactor } = useQuery({
    ...accountTwoFactorQuery(account.id),
    enabled: anchor !== null && account.may.includes('twoFactorOff'),
  });
  const acts = actsAtOnce(account);
  // Last: it comes once the panel has said that it is on, and moves nothing below it.
  if (twoFactor?.is_on) acts.push('twoFactorOff');
  return (
    // In the page's landmark, but not in the cell of its button, which lies below the list's footer.
    <Menu
      open={anchor !== null}
      anchorEl={anchor}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      onClose={onClose}
      container={() => document.querySelector('main')}
      slotProps={{
        list: { 'aria-label': t('accounts:moreOf', { name: isolate(account.email) }) },
      }}
    >
      {hasOpen && (
        <MenuLink to="/accounts/$id" params={{ id: account.id }}>
          <UserRound size={18} aria-hidden="true" />
          {t('open')}
        </MenuLink>
      )}
      {acts.flatMap((act) => {
        const Icon = icons[act];
        const isDangerous = act === 'ban';
        return [
          isDangerous && <Divider key="before" component="li" />,
          <MenuItem
            key={act}
            disabled={blocked !== undefined}
            className={isDangerous ? (styles.danger ?? '') : ''}
            onClick={() => {
              onClose();
              onChoose(act);
            }}
          >
            <Icon size={18} aria-hidden={true} />
            {t(`acts.${act}`)}
          </MenuItem>,
        ];
      })}
      {!hasOpen && acts.length === 0 && <MenuItem disabled>{t('acts.none')}</MenuItem>}
    </Menu>
  );
}
