import { changedUsername } from '@linekeeper/contract/fields/line-credentials.ts';
import { checkLineName } from '@linekeeper/contract/lines/line-changes.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { type FieldPath, type FieldValues, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { TextInput } from '../../../shared/forms/fields/text-input.tsx';
import type { FieldProps } from '../../../shared/forms/fields/use-field.ts';
import { useErrorText } from '../../../shared/i18n/use-error-text.ts';
import { useDebounced } from '../../../shared/timing/use-debounced.ts';
import styles from './name-field.module.css';

const TYPING_PAUSE_MS = 300;

function nameQuery(username: string) {
  return queryOptions({
    queryKey: ['line-name', username],
    queryFn: ({ signal }) => call(checkLineName, { body: { username } }, { signal }),
    // Not cached: the name may have been taken by the time it is typed again.
    gcTime: 0,
    retry: false,
  });
}

/**
 * True if no other line has the name; null while unknown, or for the line's own or an invalid name.
 */
function useIsFree(typed: string, ownName: string | undefined): boolean | null {
  const name = changedUsername.safeParse(typed).data;
  const paused = useDebounced(name, TYPING_PAUSE_MS);
  const isAsked = paused !== undefined && paused !== ownName;
  const { data } = useQuery({ ...nameQuery(paused ?? ''), enabled: isAsked });
  return isAsked && paused === name && data ? data.is_free : null;
}

interface NameFieldProps<Values extends FieldValues, Output> extends FieldProps<Values, Output> {
  hint: string;
  /** Current name of the edited line, which does not count as taken. */
  ownName?: string;
  autoFocus?: boolean;
}

/** Input for a line's username that shows at once whether the name is available. */
export function NameField<Values extends FieldValues, Output>({
  ownName,
  hint,
  ...field
}: NameFieldProps<Values, Output>) {
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const typed: unknown = useWatch({
    control: field.control,
    name: field.name as FieldPath<Values>,
  });
  const isFree = useIsFree(String(typed ?? ''), ownName);
  return (
    <TextInput
      {...field}
      label={t('columns.username')}
      hint={<span aria-live="polite">{isFree ? t('add.nameIsFree') : hint}</span>}
      problem={isFree === false ? errorText('USERNAME_EXISTS') : undefined}
      endAdornment={isFree && <CircleCheck className={styles.free} size={18} aria-hidden="true" />}
      autoComplete="off"
      spellCheck={false}
      required
    />
  );
}
