import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { CopyCredentialsButton } from '#domain/lines/credentials.tsx';
import { useRevealLine } from '#domain/lines/queries.ts';

/** Copies what the customer enters, from a card. */
export function CopyLine({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const { mutateAsync: reveal } = useRevealLine();
  return (
    <CopyCredentialsButton
      label={t('copyCredentialsOf', { username: line.username })}
      line={line}
      getPassword={async () => (await reveal(line.id)).password}
    >
      {t('copy')}
    </CopyCredentialsButton>
  );
}
