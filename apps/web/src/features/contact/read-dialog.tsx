import type { ContactMessage } from '@linekeeper/contract/contact.ts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { publicSettingsQuery } from '../../shared/data/settings.ts';
import { isolate } from '../../shared/i18n/isolate.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import styles from '../../shared/ui/dialogs/dialog.module.css';
import { Dialog } from '../../shared/ui/overlays/late-overlays.ts';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { Said, Sender } from './said.tsx';

interface ReadDialogProps {
  contact: ContactMessage;
  onClose: () => void;
}

/** A message that was answered, and what became of the answer. */
export function ReadDialog({ contact, onClose }: ReadDialogProps) {
  const { t } = useTranslation('contact');
  const { t: common } = useTranslation();
  const titleId = useId();
  const { subject, message, answer } = contact;
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId}>
      <div className={styles.content}>
        <h2 id={titleId}>
          <TypedText>{subject}</TypedText>
        </h2>
        <Sender contact={contact} />
        <Said title={t('form.message')}>{message}</Said>
        <Said title={t('read.answerBy', { name: isolate(contact.answered_by ?? '') })}>
          {answer ?? ''}
        </Said>
        <MailState contact={contact} />
        <div className={styles.actions}>
          <Button onClick={onClose}>{common('action.close')}</Button>
        </div>
      </div>
    </Dialog>
  );
}

function MailState({ contact }: { contact: ContactMessage }) {
  const { t } = useTranslation('contact');
  const { data: settings } = useQuery(publicSettingsQuery());
  const email = isolate(contact.email);
  if (contact.answer_is_mailed) return <p className={styles.text}>{t('read.mailed', { email })}</p>;
  if (!settings) return null;
  const text = settings.sends_mail
    ? t('read.notMailedYet', { email })
    : t('answer.noMail', { email });
  return <p className={styles.text}>{text}</p>;
}
