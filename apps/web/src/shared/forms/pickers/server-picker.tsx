import { useQuery } from '@tanstack/react-query';
import type { FieldValues } from 'react-hook-form';
import { serverChoicesQuery, takesLines } from '../../data/server-choices.ts';
import { SelectInput, type SelectInputProps } from '../fields/select-input.tsx';
import { serverOption } from './server-option.ts';

interface ServerInputProps<Values extends FieldValues, Output>
  extends Omit<SelectInputProps<Values, Output>, 'options'> {
  /** The line's current server, offered even if it takes no new lines. */
  currentId?: string;
}

/** A form field that stores a server's id. Offers those that take new lines. */
export function ServerInput<Values extends FieldValues, Output>({
  currentId,
  ...field
}: ServerInputProps<Values, Output>) {
  const { data: servers = [] } = useQuery(serverChoicesQuery());
  const offered = servers.filter((server) => takesLines(server) || server.id === currentId);
  return <SelectInput {...field} options={offered.map(serverOption)} />;
}
