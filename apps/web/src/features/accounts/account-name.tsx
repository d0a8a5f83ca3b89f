import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { Link } from '@tanstack/react-router';
import { isolate } from '../../shared/i18n/isolate.ts';
import { TwoLineCell } from '../../shared/list/two-line-cell.tsx';
import { useListSearch } from '../../shared/list/use-list.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Highlight } from '../../shared/ui/highlight.tsx';

/** Name and address; what was searched for is marked in both. */
export function AccountName({ account: { id, full_name, email } }: { account: Account }) {
  const q = useListSearch().search.q?.trim() ?? '';
  return (
    <TwoLineCell
      lead={<Avatar accountId={id} name={full_name || email} />}
      first={
        <Link to="/accounts/$id" params={{ id }} title={isolate(full_name || email)}>
          <Highlight text={full_name || email} part={q} />
        </Link>
      }
      second={
        full_name && (
          <small title={isolate(email)}>
            <Highlight text={email} part={q} />
          </small>
        )
      }
    />
  );
}
