import { useQuery } from '@tanstack/react-query';
import { TicketPercent, Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { pricesQuery } from '#domain/prices/prices.ts';
import { MenuLink, MenuList } from '#kit/overlays/menu.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { HeaderMenuPanel } from './header-panel.tsx';
import type { HeaderPanelProps } from './header-popover.tsx';

export function CreditsPanel(props: HeaderPanelProps) {
  const { t, i18n } = useTranslation();
  const { credits, is_admin } = useMe();
  return (
    <HeaderMenuPanel {...props} label={t('nav.credits')} width={248}>
      <div className="grid grid-cols-1 pt-2 px-3 pb-1">
        <span className="text-text-2 type-caption">{t('nav.credits')}</span>
        <b className="type-[700_24px/32px_var(--font)]">{formatNumber(credits, i18n.language)}</b>
      </div>
      {is_admin && (
        <p className="pt-0 px-3 pb-1 text-text-2 text-[12px] leading-4.5">{t('credits.ofAdmin')}</p>
      )}
      <hr />
      <MenuList aria-label={t('nav.credits')}>
        <MenuLink to="/redeem-code" onClick={props.onClose}>
          <TicketPercent size={20} />
          {t('nav.redeemCode')}
        </MenuLink>
        <MenuLink to="/payments/pricing" onClick={props.onClose}>
          <Wallet size={20} />
          {t('nav.topUpCredits')}
        </MenuLink>
      </MenuList>
      <hr />
      <PriceList />
    </HeaderMenuPanel>
  );
}

function PriceList() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const prices = useQuery(pricesQuery());
  return (
    <div className="pt-1 px-3 pb-2 [&_h2]:mb-1 [&_h2]:text-text-2 [&_h2]:type-[600_12px/18px_var(--font)] [&_dl>div]:py-1 [&_dl>div]:px-0 [&_dt]:text-inherit">
      <h2>{t('credits.prices')}</h2>
      {prices.error && <p>{errorText(prices.error)}</p>}
      <dl>
        {prices.data?.map(({ months, cost }) => (
          <div className="flex items-stretch justify-between gap-4" key={months}>
            <dt>{t('credits.months', { count: months })}</dt>
            <dd className="font-semibold">{t('credits.amount', { count: cost })}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
