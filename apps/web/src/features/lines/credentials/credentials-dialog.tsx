import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { CopyCredentialsButton } from '../../../shared/lines/credentials.tsx';
import { useRevealLine } from '../../../shared/lines/queries.ts';
import { Receivers } from '../../../shared/lines/receivers/receivers.tsx';
import { InfoDialog } from '../../../shared/ui/dialogs/dialog-parts.tsx';
import { useNeedsConnection } from '../../../shared/ui/use-needs-connection.ts';
import { Text } from '../../../shared/ui/vocabulary.tsx';

export function CredentialsDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const { t } = useTranslation('lines');
  const { mutateAsync: reveal } = useRevealLine();
  return (
    <InfoDialog
      title={t('actions.credentialsOf', { username: line.username })}
      onClose={onClose}
      disableRestoreFocus
      actions={
        <CopyCredentialsButton
          line={line}
          blocked={useNeedsConnection()}
          getPassword={async () => (await reveal(line.id)).password}
        >
          {t('done.copyAll')}
        </CopyCredentialsButton>
      }
    >
      <Text as="div" above={16}>
        <Receivers line={line} />
      </Text>
    </InfoDialog>
  );
}
