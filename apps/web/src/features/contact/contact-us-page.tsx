import { useNavigate } from '@tanstack/react-router';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormCard } from '#kit/forms/form.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { displayName } from '#platform/data/display-name.ts';
import { useMe } from '#platform/data/session.ts';
import { results } from '#platform/state/results.ts';
import { ContactFields, type Sent, useContactForm } from './contact-form.tsx';

/** The page with the contact form inside the panel, which knows the sender. The page also links to the new ticket. */
export function ContactUsPage() {
  const { t } = useTranslation('contact');
  const navigate = useNavigate();
  const [sentBy, setSentBy] = useState<string>();
  const follow = ({ email, ticket }: Sent) => {
    if (!ticket) return setSentBy(email);
    results.success(t('sent.asTicket', { number: `#${ticket.number}` }));
    return navigate({ to: '/tickets/$id', params: { id: ticket.id } });
  };
  return (
    <>
      <PageHeader text={t('form.text')} />
      {sentBy === undefined ? (
        <AccountForm onSent={follow} />
      ) : (
        <Card>
          <div role="status">
            <EmptyPanel
              icon={<MailCheck />}
              title={t('sent.title')}
              text={t('sent.text', { email: sentBy })}
              action={<Button onClick={() => setSentBy(undefined)}>{t('sent.another')}</Button>}
            />
          </div>
        </Card>
      )}
    </>
  );
}

function AccountForm({ onSent }: { onSent: (sent: Sent) => unknown }) {
  const { t } = useTranslation('contact');
  const me = useMe();
  const { form, submission } = useContactForm({ name: displayName(me), email: me.email, onSent });
  return (
    <FormCard
      submission={submission}
      label={t('nav.contactUs')}
      problems={null}
      submitLabel={t('action.send')}
    >
      <ContactFields form={form} asksForSender={false} />
    </FormCard>
  );
}
