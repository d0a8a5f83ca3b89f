import {
  createWebhook,
  editWebhook,
  type Webhook,
  type WebhookWithSecret,
  webhookEvents,
} from '@linekeeper/contract/webhooks.ts';
import { useTranslation } from 'react-i18next';
import { CheckList } from '#kit/forms/fields/check-list.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';

interface WebhookDialogProps {
  /** The webhook to edit; undefined to create one. */
  webhook: Webhook | undefined;
  onCreated: (webhook: WebhookWithSecret) => void;
  onClose: () => void;
}

export function WebhookDialog({ webhook, onCreated, onClose }: WebhookDialogProps) {
  const { t } = useTranslation('webhooks');
  const shared = {
    schema: createWebhook.body,
    refreshes: ['webhooks'] as const,
    waits: true,
    defaultValues: { url: webhook?.url ?? '', events: webhook?.events ?? [...webhookEvents] },
    onClose,
  };
  const creating = useCommandForm(createWebhook, { ...shared, done: onCreated });
  const editing = useCommandForm(editWebhook, {
    ...shared,
    params: { id: webhook?.id ?? '' },
    doneText: () => t('saved'),
  });
  const { field, submission } = webhook ? editing : creating;
  return (
    <FormDialog
      submission={submission}
      title={webhook ? t('editTitle') : t('add')}
      submitLabel={webhook ? t('action.save') : t('add')}
      onClose={onClose}
    >
      <TextInput
        {...field('url')}
        label={t('url')}
        hint={t('urlHint')}
        type="url"
        autoComplete="off"
        spellCheck={false}
        autoFocus
        required
      />
      <CheckList
        {...field('events')}
        label={t('events')}
        options={webhookEvents.map((value) => ({ value, label: t(`event.${value}`), text: value }))}
      />
    </FormDialog>
  );
}
