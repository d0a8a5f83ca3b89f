import type { ContactMessage } from '@linekeeper/contract/contact.ts';
import { useTranslation } from 'react-i18next';
import { SummaryRows } from '../../shared/ui/summary-rows.tsx';
import { Timestamp } from '../../shared/ui/timestamp.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { Caption, Stack } from '../../shared/ui/vocabulary.tsx';
import styles from './contact.module.css';

export function Sender({ contact }: { contact: ContactMessage }) {
  const { t } = useTranslation('contact');
  const { name, email, account_email, created_at } = contact;
  return (
    <SummaryRows
      look="plain"
      rows={[
        { label: t('columns.sender'), value: <TypedText>{name}</TypedText> },
        { label: t('field.email'), value: <TypedText>{email}</TypedText> },
        {
          label: t('field.account'),
          value: account_email ? <TypedText>{account_email}</TypedText> : t('read.visitor'),
        },
        { label: t('columns.received'), value: <Timestamp value={created_at} /> },
      ]}
    />
  );
}

/** Plain text with its line breaks; nothing in it is a link or an image. */
export function MessageText({ title, children }: { title: string; children: string }) {
  return (
    <Stack gap={4} above={16} className={styles.messageText}>
      <Caption as="h3">{title}</Caption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard, too */}
      <p tabIndex={0}>
        <TypedText>{children}</TypedText>
      </p>
    </Stack>
  );
}
