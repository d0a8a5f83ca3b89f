import { editLine, lineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { FormDialog } from '../../../shared/forms/form-dialog.tsx';
import { FormProblems } from '../../../shared/forms/form-problems.tsx';
import { useContractForm } from '../../../shared/forms/use-contract-form.ts';
import { useSubmit } from '../../../shared/forms/use-submit.ts';
import { useRetrySync } from '../../../shared/lines/use-retry-sync.ts';
import { toast } from '../../../shared/state/toast.ts';
import { shorterNameQuery } from '../queries.ts';
import { ChangeAdvice } from '../refused-change.tsx';
import { NameField } from '../sell/name-field.tsx';

const name = z.object({ username: lineChanges.shape.username.unwrap() });

/** Gives a line a name that a CCcam client sends as a whole; one that is free is proposed. */
export function RenameLineDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const { t } = useTranslation('lines');
  const { warn } = useRetrySync(line);
  const { data: proposed } = useQuery(shorterNameQuery(line.id));
  const form = useContractForm({
    schema: name,
    values: proposed ?? { username: '' },
  });
  const submission = useSubmit({
    form,
    command: useCommand(editLine, { params: { id: line.id }, refreshes: ['lines', 'me'] }),
    done: ({ line: { username }, sync, sync_finding }) => {
      onClose();
      const done = t('rename.done', { username });
      if (sync.ok) toast.success(done);
      else warn(sync_finding, done);
    },
    fieldOfCode: { USERNAME_EXISTS: 'username', USERNAME_REQUIRED: 'username' },
  });
  return (
    <FormDialog
      submission={submission}
      title={t('rename.title', { username: line.username })}
      text={t('rename.text')}
      submitLabel={t('rename.confirm')}
      disableRestoreFocus
      onClose={onClose}
    >
      <FormProblems form={form} advice={(error) => <ChangeAdvice error={error} />} />
      <NameField
        control={form.control}
        name="username"
        label={t('columns.username')}
        hint={t('rename.hint')}
        line={line}
        serverId={line.server_id}
      />
    </FormDialog>
  );
}
