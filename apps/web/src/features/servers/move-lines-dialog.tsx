import { moveLines, type Server } from '@linekeeper/contract/servers.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useIdempotencyKey } from '../../shared/api/use-idempotency-key.ts';
import { applyServerErrors } from '../../shared/forms/apply-server-errors.ts';
import { FormErrorSummary } from '../../shared/forms/form-error-summary.tsx';
import { SelectInput } from '../../shared/forms/select-input.tsx';
import { useContractForm } from '../../shared/forms/use-contract-form.ts';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { paths } from '../../shared/paths.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx';
import { toast } from '../../shared/ui/toast.ts';
import styles from './dialogs.module.css';
import { serverChoicesQuery, useMoveLines } from './queries.ts';

interface MoveLinesDialogProps {
  server: Server;
  title?: string;
  text?: ReactNode;
  /** After the move; the dialog closes unless something else follows. */
  onMoved?: () => void;
  onClose: () => void;
}

/** Moves all lines of a server to an active one. */
export function MoveLinesDialog({ server, title, text, onMoved, onClose }: MoveLinesDialogProps) {
  const { t } = useTranslation('servers');
  const { data, isSuccess } = useQuery(serverChoicesQuery());
  const targets = (data ?? []).filter(({ id, status }) => id !== server.id && status === 'active');
  const form = useContractForm({ schema: moveLines.body, defaultValues: { to_server_id: '' } });
  const keyOf = useIdempotencyKey();
  // Lines that were sold in between make a second move, to the same server, another wish.
  const moves = useRef(0);
  const move = useMoveLines(server.id);
  const submit = form.handleSubmit(async (body) => {
    try {
      const { moved } = await move.mutateAsync({
        body,
        idempotencyKey: keyOf([body, moves.current]),
      });
      moves.current += 1;
      const name = targets.find(({ id }) => id === body.to_server_id)?.server_name;
      toast.success(t('move.done', { count: moved, name }));
      (onMoved ?? onClose)();
    } catch (error) {
      applyServerErrors(form, error, { NO_ACTIVE_CCCAM_SERVERS: 'to_server_id' });
    }
  });
  const { line_count: count, server_name: name } = server;
  return (
    <ConfirmDialog
      open
      title={title ?? t('move.title', { name })}
      text={text ?? t('move.text', { count })}
      confirmLabel={t('move.confirm', { count })}
      pending={form.formState.isSubmitting}
      onConfirm={() => void submit()}
      onClose={onClose}
    >
      <form className={styles.dialogForm} onSubmit={submit} aria-label={t('card.moveLines')}>
        <FormErrorSummary form={form} />
        {isSuccess && targets.length === 0 ? (
          <NoTarget />
        ) : (
          <SelectInput
            control={form.control}
            name="to_server_id"
            label={t('move.target')}
            placeholder={t('move.choose')}
            required
            options={targets.map(({ id, server_name }) => ({
              value: id,
              label: server_name,
              tone: 'success',
            }))}
          />
        )}
      </form>
    </ConfirmDialog>
  );
}

function NoTarget() {
  const { t } = useTranslation('servers');
  const errorText = useErrorText();
  return (
    <Banner tone="warning" title={errorText('NO_ACTIVE_CCCAM_SERVERS')}>
      <Link to={paths.addServer()}>{t('move.noTarget')}</Link>
    </Banner>
  );
}
