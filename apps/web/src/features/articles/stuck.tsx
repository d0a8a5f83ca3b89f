import { LifeBuoy, MessageSquarePlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import styles from './articles.module.css';

interface OpenTicketProps {
  /** What was looked for; the ticket begins with it as its title. */
  sought?: string | undefined;
  variant?: 'solid' | 'outlined';
  fullWidth?: boolean;
}

export function OpenTicket({ sought, variant = 'outlined', fullWidth = false }: OpenTicketProps) {
  const { t } = useTranslation('articles');
  // Tickets are another feature's screen, which the register may not have yet.
  const link = { to: '/tickets/new', search: sought ? { title: sought } : {} };
  return (
    <ButtonLink
      {...(link as unknown as { to: '/404' })}
      variant={variant}
      fullWidth={fullWidth}
      icon={<MessageSquarePlus aria-hidden="true" />}
    >
      {t('stuck.open')}
    </ButtonLink>
  );
}

export function StuckCard({ sought }: Pick<OpenTicketProps, 'sought'>) {
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
      <OpenTicket sought={sought} />
    </Card>
  );
}
