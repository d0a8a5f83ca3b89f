import {
  BellRing,
  BookOpen,
  Building2,
  FlaskConical,
  Keyboard,
  Mail,
  Palette,
  UserPlus,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../shared/data/session.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { type Section, Sections } from '../../shared/sections/sections.tsx';
import { KeyboardCard } from './keyboard-card.tsx';
import { LookCard } from './look-card.tsx';
import { MailsCard } from './mails-card.tsx';
import { PanelSettings } from './panel-settings.tsx';
import { RemindersCard } from './reminders-card.tsx';

/** The account's own preferences, and for administrators the settings of the whole panel. */
export function SettingsPage() {
  const { t } = useTranslation('settings');
  const { is_admin } = useMe();
  const own: Section[] = [
    {
      id: 'look',
      text: t('look.title'),
      icon: Palette,
      content: <LookCard />,
      heading: t('yours'),
    },
    { id: 'keyboard', text: t('keyboard.title'), icon: Keyboard, content: <KeyboardCard /> },
    { id: 'mails', text: t('mails.title'), icon: Mail, content: <MailsCard /> },
    { id: 'reminders', text: t('reminders.title'), icon: BellRing, content: <RemindersCard /> },
  ];
  const forEveryone = [
    { id: 'panel', text: t('panel.title'), icon: Building2, heading: t('everyone') },
    { id: 'reminder-hour', text: t('reminders.hour'), icon: BellRing },
    { id: 'trials', text: t('trials.title'), icon: FlaskConical },
    { id: 'sign-up', text: t('signUp.title'), icon: UserPlus },
    { id: 'articles', text: t('articles.title'), icon: BookOpen },
  ];
  return (
    <>
      <PageHeader />
      {is_admin ? (
        <Sections sections={own} links={forEveryone}>
          <PanelSettings />
        </Sections>
      ) : (
        <Sections sections={own} />
      )}
    </>
  );
}
