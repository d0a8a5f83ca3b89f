import { formatDay } from '@linekeeper/contract/dates.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import {
  deleteLine,
  editLine,
  lineChanges,
  resumeLine,
  suspendLine,
  undoLine,
} from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { lineQuery } from '#domain/lines/queries.ts';
import { useServerName } from '#domain/lines/sync.tsx';
import { isPending, useRetrySync } from '#domain/lines/use-retry-sync.ts';
import { shorterNameQuery } from '#features/lines/queries.ts';
import { ChangeAdvice, RefusedChange } from '#features/lines/refused-change.tsx';
import { NameField } from '#features/lines/sell/name-field.tsx';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { useFindingText } from '#platform/i18n/use-finding-text.ts';
import { results } from '#platform/state/results.ts';

interface LineActProps {
  line: Line;
  onClose: () => void;
}

interface LeavingProps extends LineActProps {
  onDeleted: () => void;
}

/** Options of a command that changes a line. */
const changing = ({ id }: Line) => ({ params: { id }, refreshes: ['lines', 'me'] }) as const;

/** Options of a command after which the line does not exist. Earlier jobs of the line cannot be undone any more. */
const removing = ({ id }: Line) =>
  ({
    params: { id },
    refreshes: ['lines', 'me', 'jobs'],
    removes: [lineQuery(id).queryKey],
  }) as const;

const newName = lineChanges.pick({ username: true }).required();

/** The dialog that changes a line's name to one that CCcam clients send as a whole. The dialog suggests a free name. */
export function RenameLineDialog({ line, onClose }: LineActProps) {
  const { t } = useTranslation('lines');
  const { tell } = useRetrySync(line);
  const { data: proposed } = useQuery(shorterNameQuery(line.id));
  const { field, submission } = useCommandForm(editLine, {
    ...changing(line),
    schema: newName,
    values: proposed ?? { username: '' },
    done: (reply) => {
      onClose();
      const done = t('rename.done', { username: reply.line.username });
      tell(reply, done, done);
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

/** The dialog that suspends a line. It asks for a reason, and warns that the line stops working. */
export function SuspendLineDialog({ line, onClose }: LineActProps) {
  const { t } = useTranslation('lines');
  const { tell } = useRetrySync(line);
  const { username } = line;
  const { field, submission } = useCommandForm(suspendLine, {
    ...changing(line),
    defaultValues: { reason: '' },
    done: (reply) => {
      onClose();
      tell(reply, t('suspend.done', { username }), t('suspend.goesOn'));
    },
  });
  return (
    <FormDialog
      submission={submission}
      title={t('suspend.title', { username })}
      text={t('suspend.text')}
      advice={(error) => <ChangeAdvice error={error} retryAdvice={t('suspend.retryAdvice')} />}
      submitLabel={t('suspend.confirm')}
      disableRestoreFocus
      onClose={onClose}
    >
      <TextInput
        {...field('reason')}
        label={t('field.reason')}
        hint={t('suspend.reasonHint')}
        multiline
        rows={2}
        autoFocus
      />
    </FormDialog>
  );
}

export function ResumeLineDialog({ line, onClose }: LineActProps) {
  const { t } = useTranslation('lines');
  const { tell } = useRetrySync(line);
  const server = useServerName(line.server_id);
  const { username, expiry_date } = line;
  return (
    <ConfirmAction
      command={useCommand(resumeLine, changing(line))}
      content={{}}
      title={t('resume.title', { username })}
      text={t('resume.text', { server, day: formatDay(expiry_date) })}
      confirmLabel={t('resume.confirm')}
      done={(reply) => tell(reply, t('resume.done', { username }), t('line.sync.saved'))}
      refusal={(error) => <RefusedChange error={error} retryAdvice={t('suspend.retryAdvice')} />}
      onClose={onClose}
    />
  );
}

/** The dialog that undoes the sale of a line that its server never had. */
export function UndoLineDialog({ line, onClose, onDeleted }: LeavingProps) {
  const { t } = useTranslation('lines');
  const server = useServerName(line.server_id);
  const { username } = line;
  return (
    <ConfirmAction
      command={useCommand(undoLine, removing(line))}
      title={t('undoLine.title', { username })}
      text={t('undoLine.text', { server })}
      confirmLabel={t('undoLine.confirm')}
      done={({ refunded }) => {
        onDeleted();
        const credits = t('credits.amount', { count: refunded });
        results.success(t('undoLine.done', { username, credits }));
      }}
      staysOpen
      refusal={(error) => <RefusedChange error={error} />}
      onClose={onClose}
    />
  );
}

export function DeleteLineDialog({ line, onClose, onDeleted }: LeavingProps) {
  const { t } = useTranslation('lines');
  const findingText = useFindingText();
  const server = useServerName(line.server_id);
  const { username } = line;
  const done = ({ sync, sync_finding }: Reply<typeof deleteLine>) => {
    onDeleted();
    if (sync.ok) results.success(t('deleted', { name: username }));
    else if (isPending(sync_finding))
      results.info(findingText(sync_finding), { detail: isolate(username) });
    else
      results.warning(findingText(sync_finding), {
        detail: `${isolate(username)}: ${t('sync.deleteGoesOn')}`,
        stays: true,
      });
  };
  return (
    <ConfirmAction
      command={useCommand(deleteLine, removing(line))}
      tone="danger"
      title={t('askDelete', { name: username })}
      text={t('delete.text', { server })}
      confirmLabel={t('delete.confirm')}
      done={done}
      staysOpen
      refusal={(error) => <RefusedChange error={error} retryAdvice={t('delete.retryAdvice')} />}
      onClose={onClose}
    />
  );
}
