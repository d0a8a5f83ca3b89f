import { Plus, Route } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePriceOf } from '../../../shared/data/prices.ts';
import { useMe } from '../../../shared/data/session.ts';
import { ButtonLink } from '../../../shared/ui/buttons/button-link.tsx';
import { EmptyPanel } from '../../../shared/ui/states/empty-panel.tsx';

export function FirstUsePanel() {
  const { t } = useTranslation('lines');
  const { is_admin, credits } = useMe();
  const price = usePriceOf()(1);
  return (
    <EmptyPanel
      icon={<Route />}
      title={t('empty.firstTitle')}
      text={
        is_admin || price === undefined
          ? t('empty.firstText')
          : `${t('empty.firstText')} ${t('empty.balance', { count: credits, price })}`
      }
      action={
        <ButtonLink to="/users/add" variant="solid" icon={<Plus aria-hidden="true" />}>
          {t('addLine')}
        </ButtonLink>
      }
    />
  );
}
