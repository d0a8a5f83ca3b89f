import { useQuery } from '@tanstack/react-query';
import { TicketPercent, Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { pricesQuery } from '#domain/prices/prices.ts';
import { MenuLink, MenuList } from '#kit/overlays/menu.tsx';
import { Caption, Row, Stack, Text } from '#kit/ui/vocabulary.tsx';
import { useMe } from '#platform/data/session.ts';
import { formatNumber } from '#platform/i18n/format-number.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import styles from './header.module.css';
import { HeaderMenuPanel } from './header-panel.tsx';
import type { HeaderPanelProps } from './header-popover.tsx';

export function CreditsPanel(props: HeaderPanelProps) {
  const { t, i18n } = useTranslation();
  const { credits, is_admin } = useMe();
  return (
    <HeaderMenuPanel {...props} label={t('credits.label')} width={248}>
      <Stack className={styles.popoverHead}>
        <Caption>{t('credits.label')}</Caption>
        <b className={styles.balance}>{formatNumber(credits, i18n.language)}</b>
      </Stack>
      {is_admin && <p className={styles.note}>{t('credits.ofAdmin')}</p>}
      <hr />
      <MenuList aria-label={t('credits.label')}>
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
    <div className={styles.prices}>
      <h2>{t('credits.prices')}</h2>
      {prices.error && <p>{errorText(prices.error)}</p>}
      <dl>
        {prices.data?.map(({ months, cost }) => (
          <Row align="stretch" gap={16} justify="between" key={months}>
            <dt>{t('credits.months', { count: months })}</dt>
            <Text as="dd" semibold>
              {t('credits.amount', { count: cost })}
            </Text>
          </Row>
        ))}
      </dl>
    </div>
  );
}
