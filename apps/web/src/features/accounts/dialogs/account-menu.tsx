import type { Account, AccountAct } from '@linekeeper/contract/accounts/accounts.ts';
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
import { actsAtOnce } from '#features/accounts/account-acts.ts';
import { accountTwoFactorQuery } from '#features/accounts/queries.ts';
import { MenuDivider, MenuItem } from '#kit/overlays/menu.tsx';
import { MoreItem, MoreLink, MoreList } from '#kit/overlays/more-list.tsx';

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
  const { data: twoFactor } = useQuery({
    ...accountTwoFactorQuery(account.id),
    enabled: anchor !== null && account.may.includes('twoFactorOff'),
  });
  const acts = actsAtOnce(account);
  // This entry comes last, because it appears once the panel has replied, and must not move others.
  if (twoFactor?.is_on) acts.push('twoFactorOff');
  return (
    <MoreList anchor={anchor} label={t('moreOf', { name: account.email })} onClose={onClose}>
      {hasOpen && (
        <MoreLink
          icon={UserRound}
          text={t('accounts:open')}
          to="/accounts/$id"
          params={{ id: account.id }}
        />
      )}
      {acts.flatMap((act) => {
        const isDangerous = act === 'ban';
        return [
          isDangerous && <MenuDivider key="before" />,
          <MoreItem
            key={act}
            icon={icons[act]}
            text={act === 'addCredits' ? t('credits.add') : t(`acts.${act}`)}
            isDangerous={isDangerous}
            onClick={() => {
              onClose();
              onChoose(act);
            }}
          />,
        ];
      })}
      {!hasOpen && acts.length === 0 && <MenuItem disabled>{t('acts.none')}</MenuItem>}
    </MoreList>
  );
}
