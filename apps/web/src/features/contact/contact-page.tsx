import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '#kit/forms/form.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { VisitorFrame, VisitorOutcome } from '#kit/page/visitor/visitor-frame.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { rememberedAccount } from '#platform/data/session.ts';
import { ContactFields, type Sent, useContactForm } from './contact-form.tsx';

/** The contact form for everyone, above all for people who cannot sign in. */
export function ContactPage() {
  const { t } = useTranslation('contact');
  const [sent, setSent] = useState<Sent>();
  if (sent) {
    const { email, ticket } = sent;
    return (
      <VisitorFrame title={t('sent.title')} hasContact={false}>
        <VisitorOutcome>
          <p role="status">
            {ticket
              ? t('sent.asTicket', { number: `#${ticket.number}` })
              : t('sent.text', { email })}
          </p>
          {ticket ? (
            <ButtonLink
              to="/tickets/$id"
              params={{ id: ticket.id }}
              variant="solid"
              size="large"
              fullWidth
            >
              {t('sent.toTicket')}
            </ButtonLink>
          ) : (
            <ButtonLink to="/" variant="solid" size="large" fullWidth>
              {t('sent.toPanel')}
            </ButtonLink>
          )}
        </VisitorOutcome>
      </VisitorFrame>
    );
  }
  return (
    <VisitorFrame title={t('nav.contactUs')} intro={t('form.text')} hasContact={false}>
      <VisitorForm onSent={setSent} />
    </VisitorFrame>
  );
}

function VisitorForm({ onSent }: { onSent: (sent: Sent) => void }) {
  const { t } = useTranslation('contact');
  const [account] = useState(rememberedAccount);
  const { form, submission } = useContactForm({
    name: account?.full_name,
    email: account?.email,
    onSent,
    isGuarded: false,
  });
  return (
    <Form submission={submission}>
      <ContactFields form={form} />
      <SubmitButton pending={submission.isPending} size="large" fullWidth>
        {t('action.send')}
      </SubmitButton>
      <Link to="/" className="link">
        {t('sent.toPanel')}
      </Link>
    </Form>
  );
}
