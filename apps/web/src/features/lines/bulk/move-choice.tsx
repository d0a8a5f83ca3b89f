import { listAccounts } from '@linekeeper/contract/accounts.ts';
import Autocomplete from '@mui/material/Autocomplete';
import InputBase from '@mui/material/InputBase';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { serverChoicesQuery } from '../../../shared/server-choices.ts';
import styles from './move-choice.module.css';
import type { ChoiceProps, TermOf } from './term.ts';

const MOST_ACCOUNTS = 20;

export function MoveChoice({ term, onChange }: ChoiceProps<TermOf<'move'>>) {
  const { t } = useTranslation('bulk');
  const { t: lines } = useTranslation('lines');
  const id = useId();
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  return (
    <div className={styles.choice}>
      <div>
        <label htmlFor={`${id}-server`}>{lines('columns.server')}</label>
        <span className={styles.box}>
          <select
            id={`${id}-server`}
            value={term.server_id ?? ''}
            onChange={({ target }) => onChange({ ...term, server_id: target.value || undefined })}
          >
            <option value="">{t('preview.keep')}</option>
            {servers.map((server) => (
              <option key={server.id} value={server.id} disabled={server.status !== 'active'}>
                {server.server_name}
                {server.status !== 'active' && ` (${t(`serverStatus.${server.status}`)})`}
              </option>
            ))}
          </select>
          <ChevronDown size={18} aria-hidden="true" />
        </span>
      </div>
      <div>
        <label htmlFor={`${id}-owner`}>{lines('columns.owner')}</label>
        <OwnerInput id={`${id}-owner`} onChange={(owner_id) => onChange({ ...term, owner_id })} />
      </div>
    </div>
  );
}

interface OwnerInputProps {
  id: string;
  onChange: (id: string | undefined) => void;
}

/** There may be thousands of accounts: the panel finds those that fit what is typed. */
function OwnerInput({ id, onChange }: OwnerInputProps) {
  const { t } = useTranslation('bulk');
  const [text, setText] = useState('');
  const { data: accounts = [], isFetching } = useQuery({
    queryKey: ['accounts', 'found', text],
    queryFn: async ({ signal }) => {
      const query = { q: text || undefined, sort: 'email', limit: MOST_ACCOUNTS };
      return (await call(listAccounts, { query }, { signal })).items;
    },
    placeholderData: (before) => before,
  });
  return (
    <Autocomplete
      id={id}
      options={accounts}
      getOptionLabel={({ email }) => email}
      getOptionKey={(account) => account.id}
      isOptionEqualToValue={(a, b) => a.id === b.id}
      filterOptions={(found) => found}
      loading={isFetching}
      loadingText={t('preview.searching')}
      noOptionsText={t('preview.noAccounts')}
      onInputChange={(_event, typed) => setText(typed)}
      onChange={(_event, account) => onChange(account?.id)}
      slotProps={{ paper: { className: styles.found ?? '' } }}
      popupIcon={<ChevronDown size={18} />}
      renderInput={({ slotProps: { input, htmlInput }, id: inputId }) => (
        <InputBase
          id={inputId}
          ref={input.ref}
          className={styles.box ?? ''}
          placeholder={t('preview.keep')}
          endAdornment={input.endAdornment}
          slotProps={{ input: htmlInput }}
        />
      )}
    />
  );
}
