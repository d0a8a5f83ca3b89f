import { changedUsername, isSentWhole } from '@linekeeper/contract/fields/line-credentials.ts';
import { checkLineName } from '@linekeeper/contract/lines/line-changes.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { type FieldPath, type FieldValues, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { serverChoicesQuery } from '#domain/servers/server-choices.ts';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import type { FieldProps } from '#kit/forms/fields/use-field.ts';
import { callQuery } from '#platform/api/call-query.ts';
import { useDebounced } from '#platform/browser/use-delayed.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import type { ProposedName } from './use-proposed-name.ts';

interface Asked {
  username: string;
  server_id?: string;
  line_id?: string;
}

const nameQuery = (asked: Asked) =>
  callQuery('line-name', checkLineName, {
    body: asked,
    // The reply is not cached, because another line may get the name before it is typed again.
    gcTime: 0,
  });

/**
 * Returns 'free' or the refusal of a typed name; null while unknown, for the line's own name, and for an invalid one.
 */
function useNameCheck(typed: string, line: Line | undefined, serverId: string | undefined) {
  const { data: servers } = useQuery(serverChoicesQuery());
  const name = changedUsername.safeParse(typed).data;
  const paused = useDebounced(name);
  const isOwn = (text: string) => text === line?.username;
  const asked = {
    username: paused ?? '',
    ...(serverId && { server_id: serverId }),
    ...(line && { line_id: line.id }),
  };
  const isAsked = paused !== undefined && !isOwn(paused);
  const { data } = useQuery({ ...nameQuery(asked), enabled: isAsked });
  const { protocol } = servers?.find(({ id }) => id === serverId) ?? {};
  if (name === undefined || isOwn(name)) return null;
  // The length is checked while the name is typed, because this needs no request.
  if (protocol && !isSentWhole(name, protocol)) return 'NAME_TOO_LONG_FOR_CCCAM';
  if (!isAsked || paused !== name || !data) return null;
  return data.is_free ? (data.problem ?? 'free') : 'USERNAME_EXISTS';
}

interface NameFieldProps<Values extends FieldValues, Output> extends FieldProps<Values, Output> {
  hint: string;
  /** The edited line, whose own name counts as free. */
  line?: Line;
  serverId: string | undefined;
  /** The name that is suggested for a new line. */
  proposed?: ProposedName;
  autoFocus?: boolean;
}

/** The input for the username of a line, which shows while typing if the name is available. */
export function NameField<Values extends FieldValues, Output>({
  line,
  serverId,
  hint,
  proposed,
  ...field
}: NameFieldProps<Values, Output>) {
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const typed: unknown = useWatch({
    control: field.control,
    name: field.name as FieldPath<Values>,
  });
  const found = useNameCheck(String(typed ?? ''), line, serverId);
  const isFree = found === 'free';
  const said = isFree ? t('add.nameIsFree') : hint;
  return (
    <TextInput
      {...field}
      label={t('field.username')}
      hint={<span aria-live="polite">{said}</span>}
      labelAside={
        proposed &&
        found === 'USERNAME_EXISTS' && (
          <button type="button" className="link" onClick={() => void proposed.takeNext()}>
            {t('add.takeNext')}
          </button>
        )
      }
      enterKeyHint="next"
      isSelectedAtFocus={proposed?.isProposed}
      problem={found !== null && !isFree ? errorText(found) : undefined}
      endAdornment={isFree && <CircleCheck className="text-success-fg" size={18} />}
      autoComplete="off"
      spellCheck={false}
      required
    />
  );
}
