import { type ContactMessage, editContact } from '@linekeeper/contract/contact.ts';
import { Archive, ArchiveRestore } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../../shared/browser/use-is-phone.ts';
import { useCommand } from '../../shared/commands/use-command.ts';
import { toast } from '../../shared/state/toast.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { IconButton } from '../../shared/ui/buttons/icon-button.tsx';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { Row } from '../../shared/ui/vocabulary.tsx';
import { AnswerDialog } from './answer-dialog.tsx';
import { ReadDialog } from './read-dialog.tsx';

/** Read and answer; close, or reopen what is closed or was taken for spam. */
export function ContactActions({ row: contact }: { row: ContactMessage }) {
  const { t } = useTranslation('contact');
  const blocked = useNeedsConnection();
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  const { id, answer, status } = contact;
  const isClosed = status === 'closed' || status === 'spam';
  const { name } = contact;
  const closing = useCommand(editContact, {
    params: { id },
    refreshes: ['contact'],
    done: () => toast.success(t(isClosed ? 'reopen.done' : 'close.done', { name })),
  });
  const CloseIcon = isClosed ? ArchiveRestore : Archive;
  const turn = () => void closing.send({ closed: !isClosed });
  const turnLabel = t(isClosed ? 'reopen.of' : 'close.of', { name });
  const Dialog = answer === null ? AnswerDialog : ReadDialog;
  const actions = (
    <>
      <Button
        variant={answer === null && !isClosed ? 'soft' : 'outlined'}
        size={isPhone ? 'medium' : 'small'}
        aria-label={t(answer === null ? 'answer.of' : 'read.of', { name })}
        onClick={() => setOpen(true)}
      >
        {t(answer === null ? 'answer.action' : 'read.action')}
      </Button>
      {isPhone ? (
        <Button blocked={blocked} pending={closing.isPending} aria-label={turnLabel} onClick={turn}>
          {isClosed ? t('reopen.action') : t('action.close')}
        </Button>
      ) : (
        <IconButton
          label={turnLabel}
          size="small"
          blocked={blocked}
          disabled={closing.isPending}
          onClick={turn}
        >
          <CloseIcon size={18} aria-hidden="true" />
        </IconButton>
      )}
      {isOpen && <Dialog contact={contact} onClose={() => setOpen(false)} />}
    </>
  );
  return isPhone ? (
    actions
  ) : (
    <Row as="span" gap={8} justify="end">
      {actions}
    </Row>
  );
}
