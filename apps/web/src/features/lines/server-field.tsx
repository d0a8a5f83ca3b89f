import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { SelectInput } from '../../shared/forms/select-input.tsx';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { serverChoicesQuery } from '../../shared/server-choices.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import type { NewLineForm } from './add-line-types.ts';

/** Only active servers take new lines; the newest comes first. */
export function ServerField({ control }: { control: NewLineForm['control'] }) {
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const { data, isSuccess } = useQuery(serverChoicesQuery());
  const servers = data?.filter(({ status }) => status === 'active') ?? [];
  if (isSuccess && servers.length === 0) {
    return (
      <Banner tone="warning" title={errorText('NO_ACTIVE_SERVERS')}>
        {t('add.noServersHelp')}
      </Banner>
    );
  }
  return (
    <SelectInput
      control={control}
      name="server_id"
      label={t('columns.server')}
      options={servers.map(({ id, server_name }, index) => ({
        value: id,
        label: server_name,
        tone: 'success',
        ...(index === 0 && { description: t('add.newestActive') }),
      }))}
    />
  );
}
