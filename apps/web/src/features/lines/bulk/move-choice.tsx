import { bulkLines, type JobItem } from '@linekeeper/contract/lines/bulk.ts';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountPicker } from '#domain/accounts/account-picker.tsx';
import type { NamedAccount } from '#domain/accounts/accounts.ts';
import { type LinePlace, ServerCards } from '#domain/lines/move/server-cards.tsx';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import type { BulkChangeOf, ChoiceProps } from './bulk-change.ts';
import type { BulkLines } from './use-bulk-selection.ts';

type MoveChoiceProps = ChoiceProps<BulkChangeOf<'move'>> & { lines: BulkLines };

/** The choice of a new server and a new owner for the selected lines, either of which may stay the same. */
export function MoveChoice({ change, onChange, lines }: MoveChoiceProps) {
  const { t } = useTranslation('bulk');
  const { t: texts } = useTranslation('lines');
  const id = useId();
  const [owner, setOwner] = useState<NamedAccount | null>(null);
  const { data: places } = useQuery(placesQuery(lines));
  return (
    <div className="grid grid-cols-1 gap-4">
      <ServerCards
        legend={texts('field.server')}
        value={change.server_id}
        onChange={(server_id) => onChange({ ...change, server_id })}
        places={places}
      />
      <FieldFrame id={`${id}-owner`} label={texts('field.owner')}>
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

/** The query of the servers of the chosen lines, by a preview of a move without a target. */
const placesQuery = (lines: BulkLines) =>
  callQuery('bulk-preview', bulkLines, {
    body: { action: 'move', ...lines, preview: true },
    select: ({ job }) => placesOf(job.items),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

function placesOf(items: readonly JobItem[]): LinePlace[] {
  const found = new Map<string, LinePlace>();
  for (const { before } of items) {
    const key = JSON.stringify(before);
    const { server_id, host_port } = (before ?? {}) as Partial<LinePlace>;
    if (server_id === undefined) continue;
    const count = (found.get(key)?.count ?? 0) + 1;
    found.set(key, { server_id, ...(host_port && { host_port }), count });
  }
  return [...found.values()];
}
