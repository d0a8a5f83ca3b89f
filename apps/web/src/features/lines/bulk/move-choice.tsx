import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NamedAccount } from '../../../shared/data/accounts.ts';
import { serverChoicesQuery } from '../../../shared/data/server-choices.ts';
import { FieldFrame } from '../../../shared/forms/fields/field-frame.tsx';
import { SelectBox } from '../../../shared/forms/fields/select-input.tsx';
import { AccountPicker } from '../../../shared/forms/pickers/account-picker.tsx';
import { serverOption } from '../../../shared/forms/pickers/server-option.ts';
import type { BulkChangeOf, ChoiceProps } from './bulk-change.ts';
import styles from './move-choice.module.css';

export function MoveChoice({ change, onChange }: ChoiceProps<BulkChangeOf<'move'>>) {
  const { t } = useTranslation('bulk');
  const { t: lines } = useTranslation('lines');
  const id = useId();
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  const [owner, setOwner] = useState<NamedAccount | null>(null);
  const options = servers.map((server) => {
    const why = server.status === 'active' ? server.takes_no_lines : server.status;
    if (why === null) return serverOption(server);
    const description = t(`serverStatus.${why}`);
    return { ...serverOption(server), description, disabled: true };
  });
  return (
    <div className={styles.choice}>
      <FieldFrame id={`${id}-server`} label={lines('columns.server')}>
        <SelectBox
          id={`${id}-server`}
          value={change.server_id ?? ''}
          onChange={(server_id) => onChange({ ...change, server_id })}
          options={[{ value: '', label: t('preview.keep') }, ...options]}
        />
      </FieldFrame>
      <FieldFrame id={`${id}-owner`} label={lines('columns.owner')}>
        <AccountPicker
          id={`${id}-owner`}
          value={owner}
          placeholder={t('preview.keep')}
          onChange={(account) => {
            setOwner(account);
            onChange({ ...change, owner_id: account?.id });
          }}
        />
      </FieldFrame>
    </div>
  );
}
