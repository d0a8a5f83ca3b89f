import { LifeBuoy, MessageSquarePlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { Muted, Strong } from '#kit/ui/vocabulary.tsx';
import { useReader } from '#platform/data/session.ts';
import styles from './articles.module.css';

interface AskLinkProps {
  /** The search text, which becomes the title of the ticket. */
  about?: string | undefined;
  variant?: 'solid' | 'outlined';
  fullWidth?: boolean;
}

/** To a new ticket; for visitors to the contact form. */
export function AskLink({ about, variant = 'outlined', fullWidth = false }: AskLinkProps) {
  const { t } = useTranslation('articles');
  const look = { variant, fullWidth, icon: <MessageSquarePlus /> } as const;
  if (!useReader()) {
    return (
      <ButtonLink to="/contact" {...look}>
        {t('nav.contactUs')}
      </ButtonLink>
    );
  }
  return (
    <ButtonLink to="/tickets/new" search={{ title: about || undefined }} {...look}>
      {t('stuck.openTicket')}
    </ButtonLink>
  );
}

export function AskForHelpCard({ about }: Pick<AskLinkProps, 'about'>) {
  const { t } = useTranslation('articles');
  return (
    <Card className={styles.askForHelp}>
      <IconTile>
        <LifeBuoy size={20} />
      </IconTile>
      <div className={styles.askForHelpText}>
        <Strong as="h2">{t('stuck.title')}</Strong>
        <Muted as="p">{t('stuck.text')}</Muted>
      </div>
      <AskLink about={about} />
    </Card>
  );
}
