import { useQuery } from '@tanstack/react-query';
import type { FieldValues } from 'react-hook-form';
import { SelectInput } from '../../shared/forms/select-input.tsx';
import type { FieldProps } from '../../shared/forms/use-field.ts';
import { serverChoicesQuery } from '../../shared/server-choices.ts';

interface ServerInputProps<Values extends FieldValues, Output> extends FieldProps<Values, Output> {
  /** Where the line is now: offered whatever its status. */
  currentId?: string;
  placeholder?: string;
}

const tones = { active: 'success', inactive: 'neutral', error: 'error' } as const;

/** A form's field that keeps a server's id. Only active servers take lines. */
export function ServerInput<Values extends FieldValues, Output>({
  currentId,
  ...field
}: ServerInputProps<Values, Output>) {
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  const offered = servers.filter(({ id, status }) => status === 'active' || id === currentId);
  return (
    <SelectInput
      {...field}
      options={offered.map(({ id, server_name, status }) => ({
        value: id,
        label: server_name,
        tone: tones[status],
      }))}
    />
  );
}
