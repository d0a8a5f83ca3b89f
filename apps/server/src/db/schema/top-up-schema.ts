import type {
  TopUpMethod,
  TopUpProblem,
  TopUpStatus,
} from '@linekeeper/contract/credits/top-ups.ts';
import type { Generated } from 'kysely';
import type { Moment, OptionalMoment } from './column-types.ts';

interface CreditPackagesTable {
  id: string;
  name: string;
  credits: number;
  /** Price in hundredths of the currency. */
  price_minor: number;
  currency: string;
  is_active: Generated<boolean>;
  created_by: string;
  created_at: Moment;
}

/**
 * Orders of credits. Name, credits and price are those of the package when it was ordered; the package may have been
 * changed or deleted since.
 */
export interface TopUpsTable {
  id: string;
  number: number;
  account_id: string;
  package_id: string;
  package_name: string;
  credits: number;
  price_minor: number;
  currency: string;
  method: TopUpMethod;
  note: string | null;
  status: Generated<TopUpStatus>;
  reason: string | null;
  created_at: Moment;
  updated_at: Moment;
  decided_at: OptionalMoment;
  /** The administrator who decided; null if a card payment approved the top-up. */
  decided_by: string | null;
  transfer_id: string | null;
  /** The card payment for which the credits were issued; null if a person approved it. */
  paid_session: string | null;
  problem: TopUpProblem | null;
  returned_credits: Generated<number>;
  /** Credits of a reversed payment that the account had spent already. */
  owed_credits: Generated<number>;
  /** Credits that an administrator has declared no longer owed. */
  forgiven_credits: Generated<number>;
}

/** Card payments of top-ups: each row is a session of Stripe Checkout. */
export interface CardPaymentsTable {
  session_id: string;
  top_up_id: string;
  attempt: number;
  /** `processing`: completed, but the money has not arrived yet. */
  status: Generated<'open' | 'processing' | 'paid' | 'expired' | 'failed'>;
  payment_intent: string | null;
  paid_minor: number | null;
  paid_currency: string | null;
  created_at: Moment;
}

/** Money that went back to a card: all refunds of a charge in one row, or a dispute. */
export interface CardReversalsTable {
  /** Id of the charge whose refunds are counted, or of the dispute. */
  id: string;
  kind: 'refund' | 'dispute';
  payment_intent: string;
  amount_minor: number;
  stands: boolean;
  is_final: boolean;
  reported_at: Date;
}

export interface RedeemCodesTable {
  id: string;
  code: string;
  /** The normalised form of the code, equal for all spellings; see `codeKey`. */
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

/** An attempt to redeem a code, which may have been deleted since. */
export interface RedeemCodeHistoryTable {
  id: string;
  /** Id of the code; null if no such code existed. */
  code_id: string | null;
  code: string;
  credits: number;
  user_id: string;
  redeemed_at: Moment;
  status: 'success' | 'error';
  transfer_id: string | null;
}

/** A code with which a customer makes a line. */
export interface ActivationCodesTable {
  id: string;
  seller_id: string;
  plan_id: string | null;
  months: number;
  /** The line that the code makes or has made, which its payment names from the beginning. */
  line_id: string;
  /** The activation code, encrypted with a key from SECRET_KEY. */
  code: string;
  code_hash: string;
  note: string | null;
  created_at: Moment;
  used_at: OptionalMoment;
  refunded_at: OptionalMoment;
}

/** All tables of packages, top-ups, card payments and redeem codes. */
export interface TopUpTables {
  credit_packages: CreditPackagesTable;
  top_ups: TopUpsTable;
  card_payments: CardPaymentsTable;
  card_reversals: CardReversalsTable;
  top_up_returns: { transfer_id: string; top_up_id: string };
  stripe_events: { id: string; type: string; received_at: Moment };
  redeem_codes: RedeemCodesTable;
  redeem_code_history: RedeemCodeHistoryTable;
  activation_codes: ActivationCodesTable;
}
