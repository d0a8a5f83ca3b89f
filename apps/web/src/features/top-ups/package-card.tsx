import type { CreditPackage } from '@linekeeper/contract/credits/top-ups.ts';
import { Coins } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../shared/data/session.ts';
import { formatPrice } from '../../shared/format/format-price.ts';
import { formatNumber } from '../../shared/i18n/format-number.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { IconTile } from '../../shared/ui/icon-tile.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { Row } from '../../shared/ui/vocabulary.tsx';
import { BuyDialog } from './buy-dialog.tsx';
import { PackageMenu } from './package-menu.tsx';
import styles from './pricing.module.css';

interface PackageCardProps {
  offer: CreditPackage;
  takesCards: boolean;
  takesTransfers: boolean;
}

/** A package with its price, and for administrators what can be done with it. */
export function PackageCard({ offer, takesCards, takesTransfers }: PackageCardProps) {
  const { t, i18n } = useTranslation('topUps');
  const { is_admin } = useMe();
  const blocked = useNeedsConnection();
  const canPay = takesCards || takesTransfers;
  const [isBuying, setBuying] = useState(false);
  const { credits, price_minor, currency, is_active, is_most_bought } = offer;
  const price = (minor: number) => formatPrice(minor, currency, i18n.language);
  return (
    <Card as="li" className={styles.card}>
      <Row gap={8} wrap className={styles.top}>
        <IconTile>
          <Coins size={20} />
        </IconTile>
        {is_most_bought && <Badge tone="info">{t('package.mostBought')}</Badge>}
        {!is_active && <Badge tone="neutral">{t('package.off')}</Badge>}
        {is_admin && <PackageMenu offer={offer} />}
      </Row>
      <h3>
        <b>{formatNumber(credits, i18n.language)}</b> {t('credits.unit', { count: credits })}
      </h3>
      <p className={styles.name}>
        <TypedText>{offer.name}</TypedText>
      </p>
      <p className={styles.price}>
        <b>{price(price_minor)}</b>, {t('package.each', { price: price(price_minor / credits) })}
      </p>
      <Button
        variant={is_most_bought ? 'solid' : 'outlined'}
        fullWidth
        blocked={is_active ? (canPay ? blocked : t('payee.none')) : t('package.isOff')}
        onClick={() => setBuying(true)}
      >
        {t('package.buy', { count: credits })}
      </Button>
      {isBuying && (
        <BuyDialog
          offer={offer}
          takesCards={takesCards}
          takesTransfers={takesTransfers}
          onClose={() => setBuying(false)}
        />
      )}
    </Card>
  );
}
