import { ServerIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { AddLink } from '#kit/ui/buttons/button-link.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';

export function NoServersPanel() {
  const { t } = useTranslation('servers');
  return (
    <EmptyPanel
      icon={<ServerIcon />}
      title={t('addFirstServer')}
      text={t('firstServerText')}
      action={<AddLink to="/cccam-servers/add">{t('addServer')}</AddLink>}
    />
  );
}
