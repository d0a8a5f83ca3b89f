import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../shared/forms/form.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { isolate } from '../../shared/i18n/isolate.ts';
import styles from '../../shared/layout/visitor-frame.module.css';
import { VisitorFrame } from '../../shared/layout/visitor-frame.tsx';
import { rememberedAccount } from '../../shared/session.ts';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { ContactFields, useContactForm } from './contact-form.tsx';

/** For everybody, above all for who cannot sign in. */
export function ContactPage() {
  const { t } = useTranslation('contact');
  const { t: common } = useTranslation();
  const [sentBy, setSentBy] = useState<string>();
  if (sentBy !== undefined) {
    return (
      <VisitorFrame title={t('sent.title')} hasContact={false}>
        <div className={styles.outcome}>
          <p role="status">{t('sent.text', { email: isolate(sentBy) })}</p>
          <ButtonLink to="/" variant="solid" size="large" fullWidth>
            {t('sent.toPanel')}
          </ButtonLink>
        </div>
      </VisitorFrame>
    );
  }
  return (
    <VisitorFrame title={common('nav.contactUs')} intro={t('form.text')} hasContact={false}>
      <VisitorForm onSent={setSentBy} />
    </VisitorFrame>
  );
}

function VisitorForm({ onSent }: { onSent: (email: string) => void }) {
  const { t } = useTranslation('contact');
  const [account] = useState(rememberedAccount);
  const { form, submission } = useContactForm({
    name: account?.full_name,
    email: account?.email,
    onSent,
    isGuarded: false,
  });
  return (
    <Form submission={submission} className={styles.form}>
      <ContactFields form={form} />
      <SubmitButton pending={submission.isPending} size="large" fullWidth>
        {t('form.submit')}
      </SubmitButton>
      <Link to="/" className={`link ${styles.other}`}>
        {t('sent.toPanel')}
      </Link>
    </Form>
  );
}
