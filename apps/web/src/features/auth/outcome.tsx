import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { VisitorFrame, VisitorOutcome } from '#kit/page/visitor/visitor-frame.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';

interface OutcomeProps {
  title: string;
  text?: string;
  /** Content below the link to sign in, for example another link. */
  other?: ReactNode;
}

export function Outcome({ title, text, other }: OutcomeProps) {
  const { t } = useTranslation('auth');
  return (
    <VisitorFrame title={title}>
      <VisitorOutcome>
        {text && <p>{text}</p>}
        <ButtonLink to="/sign-in" variant="solid" size="large" fullWidth>
          {t('goToSignIn')}
        </ButtonLink>
        {other}
      </VisitorOutcome>
    </VisitorFrame>
  );
}
