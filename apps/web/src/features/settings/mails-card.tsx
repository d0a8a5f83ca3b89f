import type { MailedNotice } from '@linekeeper/contract/lists/preferences.ts';
import { type Access, can } from '@linekeeper/contract/permissions.ts';
import { useTranslation } from 'react-i18next';
import { useChangePreferences, usePreferences } from '../../shared/data/preferences.ts';
import { useMe } from '../../shared/data/session.ts';
import { Card } from '../../shared/ui/card.tsx';
import { SwitchRow } from '../../shared/ui/controls/switch-row.tsx';
import { NoMailNote } from './no-mail-note.tsx';
import styles from './settings.module.css';

/** Accounts that a notice can concern. */
const heardBy: Record<MailedNotice, Access> = {
  lines_expiring: ['view_users'],
  address_changed: ['view_users'],
  low_balance: 'account',
  credits_added: 'account',
  credits_taken_back: 'account',
  top_ups: 'account',
  message: 'account',
  ticket_replies: 'account',
  new_account: ['add_credits', 'manage_resellers'],
  new_tickets: 'admin',
  server_error: 'admin',
  backup_failed: 'admin',
  contact_received: 'admin',
};

/** Switches for the notifications that come by mail, too. */
export function MailsCard() {
  const { t } = useTranslation('settings');
  const me = useMe();
  const { mails } = usePreferences();
  const { change, offerUndo } = useChangePreferences();
  const heard = Object.entries(heardBy) as [MailedNotice, Access][];
  return (
    <Card title={t('mails.title')}>
      <p className={styles.lead}>{t('mails.to', { email: me.email })}</p>
      <NoMailNote />
      {heard
        .filter(([, access]) => can(me, access))
        .map(([notice]) => (
          <SwitchRow
            key={notice}
            label={t(`mails.${notice}.label`)}
            hint={t(`mails.${notice}.hint`)}
            checked={mails[notice]}
            onChange={(isOn) => {
              change({ mails: { [notice]: isOn } });
              offerUndo(t('saved'), { mails: { [notice]: mails[notice] } });
            }}
          />
        ))}
    </Card>
  );
}
