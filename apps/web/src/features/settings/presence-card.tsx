import { keptAddresses, type Settings } from '@linekeeper/contract/settings.ts';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { Card } from '#kit/ui/card.tsx';

type Values = Partial<Settings>;

/**
 * The settings about customers online: the stored part of their addresses, the number of networks
 * that a line may use at the same time, and the reaction if it uses more.
 */
export function PresenceCard({
  form: { control },
}: {
  form: UseFormReturn<Values, unknown, Values>;
}) {
  const { t } = useTranslation('settings');
  return (
    <Card title={t('presence.title')}>
      <div className="grid grid-cols-1 gap-6">
        <SelectInput
          control={control}
          name="kept_addresses"
          label={t('fields.kept_addresses')}
          hint={t('presence.keptHint')}
          options={keptAddresses.map((value) => ({ value, label: t(`presence.kept.${value}`) }))}
        />
        <TextInput
          control={control}
          name="sharing_connections"
          label={t('fields.sharing_connections')}
          hint={t('presence.networksHint')}
          type="number"
          autoComplete="off"
          required
        />
        <TextInput
          control={control}
          name="sharing_suspend_hours"
          label={t('fields.sharing_suspend_hours')}
          hint={t('presence.suspendHint')}
          type="number"
          autoComplete="off"
          required
        />
      </div>
    </Card>
  );
}
