import { editLine, lineChanges } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';

/** The seller's notes about a line, with a button to edit them in place. */
export function Notes({ line }: { line: Line }) {
  const { t } = useTranslation('line');
  const [isEditing, setEditing] = useState(false);
  if (isEditing) return <NotesForm line={line} onClose={() => setEditing(false)} />;
  return (
    <div className="flex items-center justify-between gap-2 pt-3 pr-2 pb-3 pl-4 rounded-pop bg-head [&_p:first-child]:text-neutral-fg">
      <div>
        <p className="text-text-2 type-caption">{t('field.notes')}</p>
        {line.notes ? (
          <p className="wrap-anywhere whitespace-pre-line">
            <TypedText>{line.notes}</TypedText>
          </p>
        ) : (
          <p className="text-text-2">{t('notes.none')}</p>
        )}
      </div>
      <IconButton size="small" label={t('notes.edit')} onClick={() => setEditing(true)}>
        <Pencil size={18} />
      </IconButton>
    </div>
  );
}

const notes = lineChanges.pick({ notes: true });

function NotesForm({ line, onClose }: { line: Line; onClose: () => void }) {
  const { t } = useTranslation('line');
  const { form, field, submission } = useCommandForm(editLine, {
    schema: notes,
    params: { id: line.id },
    refreshes: ['lines'],
    defaultValues: { notes: line.notes ?? '' },
    done: onClose,
  });
  return (
    <Form submission={submission} label={t('notes.edit')}>
      <FormProblems form={form} />
      <TextInput {...field('notes')} label={t('field.notes')} multiline rows={3} autoFocus />
      <div className="flex items-center gap-2">
        <SubmitButton pending={submission.isPending}>{t('notes.save')}</SubmitButton>
        <Button onClick={onClose}>{t('action.cancel')}</Button>
      </div>
    </Form>
  );
}
