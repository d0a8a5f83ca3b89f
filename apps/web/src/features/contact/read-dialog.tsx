import type { ContactMessage } from '@linekeeper/contract/contact.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { publicSettingsQuery } from '../../shared/data/settings.ts';
import { DialogText, InfoDialog } from '../../shared/ui/dialogs/dialog-parts.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { MessageText, Sender } from './message-text.tsx';

interface ReadDialogProps {
  contact: ContactMessage;
  onClose: () => void;
}

/** A message that was answered, and what became of the answer. */
export function ReadDialog({ contact, onClose }: ReadDialogProps) {
  const { t } = useTranslation('contact');
  const { subject, message, answer } = contact;
  return (
    <InfoDialog title={<TypedText>{subject}</TypedText>} onClose={onClose}>
      <Sender contact={contact} />
      <MessageText title={t('form.message')}>{message}</MessageText>
      <MessageText title={t('read.answerBy', { name: contact.answered_by ?? '' })}>
        {answer ?? ''}
      </MessageText>
      <MailState contact={contact} />
    </InfoDialog>
  );
}

function MailState({ contact }: { contact: ContactMessage }) {
  const { t } = useTranslation('contact');
  const { data: settings } = useQuery(publicSettingsQuery());
  const { email } = contact;
  if (contact.answer_is_mailed) return <DialogText>{t('read.mailed', { email })}</DialogText>;
  if (!settings) return null;
  const text = settings.sends_mail
    ? t('read.notMailedYet', { email })
    : t('answer.noMail', { email });
  return <DialogText>{text}</DialogText>;
}
