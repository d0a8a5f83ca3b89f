import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormActions, FormCard } from '../../shared/forms/form.tsx';
import { SubmitButton } from '../../shared/forms/submit-button.tsx';
import { isolate } from '../../shared/i18n/isolate.ts';
import { useMe } from '../../shared/session.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { PageHeader } from '../../shared/ui/page-header.tsx';
import { EmptyPanel } from '../../shared/ui/states/empty-panel.tsx';
import { ContactFields, useContactForm } from './contact-form.tsx';

/** The contact form inside the panel: it knows who writes. */
export function ContactUsPage() {
  const { t } = useTranslation('contact');
  const [sentBy, setSentBy] = useState<string>();
  return (
    <>
      <PageHeader text={t('form.text')} />
      {sentBy === undefined ? (
        <AccountForm onSent={setSentBy} />
      ) : (
        <Card>
          <div role="status">
            <EmptyPanel
              icon={<MailCheck />}
              title={t('sent.title')}
              text={t('sent.text', { email: isolate(sentBy) })}
              action={<Button onClick={() => setSentBy(undefined)}>{t('sent.another')}</Button>}
            />
          </div>
        </Card>
      )}
    </>
  );
}

function AccountForm({ onSent }: { onSent: (email: string) => void }) {
  const { t } = useTranslation('contact');
  const { t: common } = useTranslation();
  const { full_name: name, email } = useMe();
  const { form, submission } = useContactForm({ name, email, onSent });
  return (
    <FormCard submission={submission} label={common('nav.contactUs')}>
      <ContactFields form={form} />
      <FormActions>
        <SubmitButton pending={submission.isPending}>{t('form.submit')}</SubmitButton>
      </FormActions>
    </FormCard>
  );
}
