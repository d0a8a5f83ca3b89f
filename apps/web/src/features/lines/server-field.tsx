import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectInput } from '../../shared/forms/select-input.tsx';
import { useErrorText } from '../../shared/i18n/use-error-text.ts';
import { Banner } from '../../shared/ui/banner.tsx';
import type { NewLineForm } from './add-line-types.ts';
import { serverChoicesQuery } from './queries.ts';

/** Only active servers take new lines; the newest comes first and is chosen until another is. */
export function ServerField({ form }: { form: NewLineForm }) {
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const { data, isSuccess } = useQuery(serverChoicesQuery());
  const servers = data?.filter(({ status }) => status === 'active') ?? [];
  const newestId = servers[0]?.id;
  const { resetField, getValues } = form;
  useEffect(() => {
    // The server that is shown is the one that is meant, also where a newer one comes up meanwhile.
    if (newestId && !getValues('server_id')) resetField('server_id', { defaultValue: newestId });
  }, [newestId, resetField, getValues]);
  if (isSuccess && servers.length === 0) {
    return (
      <Banner tone="warning" title={errorText('NO_ACTIVE_SERVERS')}>
        {t('add.noServersHelp')}
      </Banner>
    );
  }
  return (
    <SelectInput
      control={form.control}
      name="server_id"
      label={t('columns.server')}
      options={servers.map(({ id, server_name }) => ({
        value: id,
        label: server_name,
        tone: 'success',
        ...(id === newestId && { description: t('add.newestActive') }),
      }))}
    />
  );
}
