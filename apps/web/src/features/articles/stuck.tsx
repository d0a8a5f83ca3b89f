import { LifeBuoy, MessageSquarePlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useReader } from '../../shared/session.ts';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import styles from './articles.module.css';

interface ContactLinkProps {
  variant?: 'solid' | 'outlined';
  fullWidth?: boolean;
}

/** To the contact form, which visitors have at an address of their own. */
export function ContactLink({ variant = 'outlined', fullWidth = false }: ContactLinkProps) {
  const { t } = useTranslation();
  const reader = useReader();
  return (
    <ButtonLink
      to={reader ? '/support/contact-us' : '/contact'}
      variant={variant}
      fullWidth={fullWidth}
      icon={<MessageSquarePlus aria-hidden="true" />}
    >
      {t('nav.contactUs')}
    </ButtonLink>
  );
}

export function StuckCard() {
  const { t } = useTranslation('articles');
  return (
    <Card className={styles.stuck}>
      <span className={styles.icon} aria-hidden="true">
        <LifeBuoy size={20} />
      </span>
      <div className={styles.stuckText}>
        <h2>{t('stuck.title')}</h2>
        <p>{t('stuck.text')}</p>
      </div>
      <ContactLink />
    </Card>
  );
}
