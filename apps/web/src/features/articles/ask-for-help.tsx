import { LifeBuoy, MessageSquarePlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { useReader } from '#platform/data/session.ts';

interface AskLinkProps {
  /** The search text, which becomes the title of the ticket. */
  about?: string | undefined;
  variant?: 'solid' | 'outlined';
  fullWidth?: boolean;
}

/** A link to a new ticket or, for visitors, to the contact form. */
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
    <Card className="flex flex-wrap items-center gap-4 phone:[&>a]:w-full">
      <IconTile>
        <LifeBuoy size={20} />
      </IconTile>
      <h2 className="type-strong flex-[1_1_0] min-w-[min(100%,180px)]">{t('stuck.title')}</h2>
      <AskLink about={about} />
    </Card>
  );
}
