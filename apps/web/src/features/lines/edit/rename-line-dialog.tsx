import { editLine, lineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { useRetrySync } from '#domain/lines/use-retry-sync.ts';
import { shorterNameQuery } from '#features/lines/queries.ts';
import { ChangeAdvice } from '#features/lines/refused-change.tsx';
import { NameField } from '#features/lines/sell/name-field.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { results } from '#platform/state/results.ts';

const name = z.object({ username: lineChanges.shape.username.unwrap() });

/** The dialog that changes a line's name to one that CCcam clients send as a whole. The dialog suggests a free name. */
export function RenameLineDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const { t } = useTranslation('lines');
  const { warn } = useRetrySync(line);
  const { data: proposed } = useQuery(shorterNameQuery(line.id));
  const { field, submission } = useCommandForm(editLine, {
    schema: name,
    params: { id: line.id },
    refreshes: ['lines', 'me'],
    values: proposed ?? { username: '' },
    done: ({ line: { username }, sync, sync_finding }) => {
      onClose();
      const done = t('rename.done', { username });
      if (sync.ok) results.success(done);
      else warn(sync_finding, done);
    },
    fieldOfCode: { USERNAME_EXISTS: 'username', USERNAME_REQUIRED: 'username' },
  });
  return (
    <FormDialog
      submission={submission}
      advice={(error) => <ChangeAdvice error={error} />}
      title={t('line.name.renameOf', { username: line.username })}
      text={t('rename.text')}
      submitLabel={t('rename.confirm')}
      disableRestoreFocus
      onClose={onClose}
    >
      <NameField
        {...field('username')}
        label={t('field.username')}
        hint={t('rename.hint')}
        line={line}
        serverId={line.server_id}
      />
    </FormDialog>
  );
}
