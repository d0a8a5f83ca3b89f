import type { Generated } from 'kysely';
import type { Moment, OptionalMoment } from './column-types.ts';

export interface RedeemCodesTable {
  id: string;
  code: string;
  /** The normal form of the code, the same for all its spellings; see `codeKey`. */
  code_key: string;
  credits: number;
  description: string | null;
  is_active: Generated<boolean>;
  created_by: string;
  created_at: Moment;
  max_uses: Generated<number>;
  times_used: Generated<number>;
  expires_at: OptionalMoment;
}

/** A try to redeem a code; the code may have been deleted. */
export interface RedeemCodeHistoryTable {
  id: string;
  /** null for a code that did not exist. */
  code_id: string | null;
  code: string;
  credits: number;
  user_id: string;
  redeemed_at: Moment;
  status: 'success' | 'error';
  transfer_id: string | null;
}
