import {
  apiKeyKinds,
  createApiKey,
  MAX_API_KEY_YEARS,
} from '@linekeeper/contract/auth/api-keys.ts';
import { apiKeyScopes } from '@linekeeper/contract/auth/scopes.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { CheckList } from '#kit/forms/fields/check-list.tsx';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { DayInput } from '#kit/forms/pickers/day-picker.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { useMe } from '#platform/data/session.ts';

interface CreateKeyDialogProps {
  onCreated: (key: Reply<typeof createApiKey>) => void;
  onClose: () => void;
}

const { name, kind, scopes, expires_at } = createApiKey.body.shape;
/** The form's values; the day is sent as it was typed, because the panel parses it. */
const newKey = z.object({
  name,
  kind,
  scopes: scopes.unwrap(),
  expires_at: z
    .string()
    .refine((text) => text.trim() === '' || expires_at.safeParse(text).success, {
      error: 'INVALID_EXPIRY',
    }),
});

export function CreateKeyDialog({ onCreated, onClose }: CreateKeyDialogProps) {
  const { t } = useTranslation('profile');
  const { is_admin } = useMe();
  const { form, field, submission } = useCommandForm(createApiKey, {
    schema: newKey,
    refreshes: ['api-keys'],
    waits: true,
    defaultValues: { name: '', kind: 'account', scopes: [...apiKeyScopes], expires_at: '' },
    bodyOf: ({ scopes, ...values }) => ({
      ...values,
      // If all scopes are chosen, none is sent: the key may then do all that its owner may.
      ...(scopes.length < apiKeyScopes.length && { scopes }),
      expires_at: values.expires_at.trim() || null,
    }),
    done: (key) => {
      onClose();
      onCreated(key);
    },
  });
  return (
    <FormDialog
      submission={submission}
      title={t('apiKeys.create')}
      submitLabel={t('apiKeys.create')}
      onClose={onClose}
    >
      <TextInput
        {...field('name')}
        label={t('field.nameOfThing')}
        autoComplete="off"
        maxLength={60}
        autoFocus
        required
      />
      {is_admin && (
        <SelectInput
          {...field('kind')}
          label={t('field.kind')}
          options={apiKeyKinds.map((value) => ({ value, label: t(`apiKeys.kinds.${value}`) }))}
        />
      )}
      {form.watch('kind') === 'account' && (
        <CheckList
          {...field('scopes')}
          label={t('apiKeys.scopes')}
          options={apiKeyScopes.map((value) => ({
            value,
            label: t(`apiKeys.scope.${value}`),
            text: t(`apiKeys.allows.${value}`),
          }))}
        />
      )}
      <DayInput
        {...field('expires_at')}
        label={t('field.to')}
        hint={t('apiKeys.expiresHint', { years: MAX_API_KEY_YEARS })}
      />
    </FormDialog>
  );
}
