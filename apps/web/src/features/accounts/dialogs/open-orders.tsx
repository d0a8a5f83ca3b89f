import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { listTopUps } from '@linekeeper/contract/credits/top-ups.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { formatPrice } from '../../../shared/format/format-price.ts';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { Banner } from '../../../shared/ui/states/banner.tsx';

/** What the account has ordered and not been given: cash may be for just that. */
export function OpenOrders({ account: { id } }: { account: Account }) {
  const { t, i18n } = useTranslation('account');
  const { data } = useQuery({
    queryKey: ['top-ups', 'open', id],
    queryFn: ({ signal }) =>
      call(listTopUps, { query: { account_id: id, status: 'pending' } }, { signal }),
  });
  const [order] = data?.items ?? [];
  if (!data || !order) return null;
  const more = data.items.length - 1;
  const { number, credits, price_minor, currency } = order;
  return (
    <Banner
      tone="warning"
      title={[
        t('openOrder.title', {
          number,
          credits: t('credits.amount', { count: credits }),
          price: formatPrice(price_minor, currency, i18n.language),
        }),
        ...(more > 0 ? [t('more', { count: more })] : []),
      ].join(' ')}
      action={
        <ButtonLink
          to="/payments/top-ups"
          search={{ account: id, ...(more === 0 ? { q: number } : {}) }}
          size="small"
        >
          {t('openOrder.show')}
        </ButtonLink>
      }
    >
      <p>{t('openOrder.text')}</p>
    </Banner>
  );
}
