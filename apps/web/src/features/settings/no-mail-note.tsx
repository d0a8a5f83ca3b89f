import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useMe } from '#platform/data/session.ts';
import { publicSettingsQuery } from '#platform/data/settings.ts';

/** The note that this panel sends no email; administrators also see the missing setting. */
export function NoMailNote() {
  const { t } = useTranslation('settings');
  const { is_admin } = useMe();
  const { data } = useQuery(publicSettingsQuery());
  if (data?.sends_mail !== false) return null;
  return (
    <p className="mt-2 mb-4 text-text-2 type-caption">
      {t(is_admin ? 'mails.offForAdmins' : 'mails.off')}
    </p>
  );
}
