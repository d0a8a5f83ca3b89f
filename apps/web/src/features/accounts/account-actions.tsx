import type { Account, AccountAct } from '@linekeeper/contract/accounts/accounts.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyMenuButton } from '#kit/overlays/lazy-menu-button.tsx';
import { MoreButton } from '#kit/overlays/more-menu.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { lazyPart } from '#platform/start/lazy-part.tsx';
import { actsAtOnce } from './account-acts.ts';

const AccountMenu = lazyPart(() => import('./dialogs/account-menu.tsx'), 'AccountMenu', {
  texts: 'account',
});
export const AccountDialog = lazyPart(
  () => import('./dialogs/account-dialog.tsx'),
  'AccountDialog',
  { isOpen: ({ act }) => act, texts: 'account' },
);

export function AccountActions({ row: account }: { row: Account }) {
  const { t } = useTranslation('accounts');
  const isPhone = useIsPhone();
  const [asked, setAsked] = useState<AccountAct | null>(null);
  const addsCredits = actsAtOnce(account).includes('addCredits');
  // Every card has this button; in a table the name is the link.
  const opens = isPhone && !addsCredits;
  return (
    <span className="flex items-center justify-end gap-1 phone:w-full">
      {opens && (
        <ButtonLink
          to="/accounts/$id"
          params={{ id: account.id }}
          variant="soft"
          fullWidth
          aria-label={`${t('open')}: ${isolate(account.email)}`}
        >
          {t('open')}
        </ButtonLink>
      )}
      {addsCredits && (
        <Button
          variant={isPhone ? 'soft' : 'text'}
          size={isPhone ? 'medium' : 'small'}
          fullWidth={isPhone}
          aria-label={t('addCredits.of', { name: account.email })}
          onPointerEnter={AccountDialog.fetch}
          onFocus={AccountDialog.fetch}
          onClick={() => setAsked('addCredits')}
        >
          {t('credits.add')}
        </Button>
      )}
      {(!opens || account.may.length > 0) && (
        <AccountMenuButton account={account} onChoose={setAsked} hasOpen={!opens} />
      )}
      {asked && <AccountDialog account={account} act={asked} onClose={() => setAsked(null)} />}
    </span>
  );
}

interface AccountMenuButtonProps {
  account: Account;
  onChoose: (act: AccountAct) => void;
  /** True to include a link to the account's page, if there is no other link to it. */
  hasOpen?: boolean;
}

export function AccountMenuButton({ account, onChoose, hasOpen = false }: AccountMenuButtonProps) {
  const { t } = useTranslation('accounts');
  const isPhone = useIsPhone();
  return (
    <LazyMenuButton
      fetch={AccountMenu.fetch}
      button={(opener) => (
        <MoreButton
          label={t('moreOf', { name: account.email })}
          size={isPhone ? 'medium' : 'small'}
          {...opener}
        />
      )}
      menu={(opened) => (
        <AccountMenu {...opened} account={account} hasOpen={hasOpen} onChoose={onChoose} />
      )}
    />
  );
}
