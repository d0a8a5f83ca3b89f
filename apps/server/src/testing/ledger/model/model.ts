/**
 * The sellers of the model, which is a minimal one of selling, renewing, transferring and
 * refunding. It shares no code with the product, and the ledger must always agree with it.
 */
export type Seller = 'top' | 'below' | 'stranger';
export type Who = Seller | 'admin';
type Place = Who | 'issuance' | 'sales';

/**
 * A request of the model. `line` and `transfer` are indexes into the lines and transfers created so
 * far, modulo their number; -1 stands for one that never existed.
 */
export type Act =
  | { do: 'sell'; who: Who; name: number; months: number | null }
  | { do: 'renew'; who: Who; line: number; months: number }
  | { do: 'renew_until' | 'edit_until'; who: Who; line: number; days: number }
  | { do: 'delete'; who: Who; line: number }
  | { do: 'give' | 'take_back'; who: Who; other: Seller; amount: number }
  | { do: 'set'; who: 'admin'; other: Seller; amount: number }
  | { do: 'move'; who: Who; other: Seller; owner: Seller | null }
  | { do: 'refund'; who: 'admin'; transfer: number };

export type Outcome =
  | { refused: string; required?: number; available?: number }
  | { cost: number; credits: number; expiry: string; is_trial: boolean }
  | { moved: string | null; amount: number; credits: number }
  | { deleted: true };

export interface ModelLine {
  owner: Who;
  name: number;
  expiry: string;
  is_trial: boolean;
  is_gone: boolean;
}

export interface ModelTransfer {
  kind: string;
  from: Place;
  to: Place;
  amount: number;
  is_refunded: boolean;
}

const PRICES: Record<number, number> = { 1: 2, 3: 4, 6: 6, 12: 10, 24: 15 };
const TRIAL_DAYS = 2;
const TRIAL_LIMIT = 5;
const SHOWN_TO_ADMIN = 1000;

class Refused extends Error {
  readonly outcome: Outcome;
  constructor(refused: string, numbers: { required?: number; available?: number } = {}) {
    super(refused);
    this.outcome = { refused, ...numbers };
  }
}

export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

function plusMonths(day: string, months: number): string {
  const from = new Date(day);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const date = Math.min(from.getUTCDate(), last);
  return new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10);
}

/** The lowest price of a combination of terms that lasts long enough; all combinations are tried. */
function cheapest(base: string, until: string): number {
  let months = 0;
  while (plusMonths(base, months) < until) months++;
  let best = Number.POSITIVE_INFINITY;
  const most = (length: number) => Math.ceil(months / length);
  for (let a = 0; a <= most(24); a++)
    for (let b = 0; b <= most(12); b++)
      for (let c = 0; c <= most(6); c++)
        for (let d = 0; d <= most(3); d++) {
          const rest = Math.max(0, months - 24 * a - 12 * b - 6 * c - 3 * d);
          best = Math.min(best, 15 * a + 10 * b + 6 * c + 4 * d + 2 * rest);
        }
  return best;
}

export class Model {
  readonly balances: Record<Seller, number> = { top: 0, below: 0, stranger: 0 };
  /** The owner of each account. */
  readonly owners: Record<Seller, Seller | null> = { top: null, below: 'top', stranger: null };
  readonly lines: ModelLine[] = [];
  readonly transfers: ModelTransfer[] = [];
  /** Names of trials, including those of deleted lines. */
  readonly #tried = new Set<number>();
  readonly #today: string;

  constructor(today: string, opening: Record<Seller, number>) {
    this.#today = today;
    for (const seller of ['top', 'below', 'stranger'] as const) {
      if (opening[seller] > 0) this.#move('mint', 'issuance', seller, opening[seller]);
    }
  }

  /**
   * Replaces the indexes by the actual line and transfer, so that a repeated request names the same
   * ones.
   */
  resolve(act: Act): Act {
    const round = (index: number, { length }: { length: number }) =>
      length > 0 ? index % length : -1;
    if ('line' in act) return { ...act, line: round(act.line, this.lines) };
    if ('transfer' in act) return { ...act, transfer: round(act.transfer, this.transfers) };
    return act;
  }

  apply(act: Act): Outcome {
    try {
      return this.#apply(act);
    } catch (error) {
      if (error instanceof Refused) return error.outcome;
      throw error;
    }
  }

  #apply(act: Act): Outcome {
    switch (act.do) {
      case 'sell':
        return this.#sell(act.who, act.name, act.months);
      case 'renew':
        return this.#renew(act.who, act.line, act.months);
      case 'renew_until':
        return this.#extend(act.who, act.line, plusDays(this.#today, act.days));
      case 'edit_until':
        return this.#edit(act.who, act.line, plusDays(this.#today, act.days));
      case 'delete':
        this.#find(act.who, act.line).is_gone = true;
        return { deleted: true };
      case 'give':
        this.#checkOther(act.who, act.other);
        return act.who === 'admin'
          ? this.#move('mint', 'issuance', act.other, act.amount)
          : this.#move('transfer', act.who, act.other, act.amount);
      case 'take_back':
        this.#checkOther(act.who, act.other);
        if (act.who !== 'admin') this.#checkFromAbove(act.other, act.amount);
        return this.#move(
          'take_back',
          act.other,
          act.who === 'admin' ? 'issuance' : act.who,
          act.amount,
          act.other,
        );
      case 'set':
        return this.#set(act.other, act.amount);
      case 'move':
        return this.#moveAccount(act.who, act.other, act.owner);
      case 'refund':
        return this.#refund(act.transfer);
    }
  }

  #sees(who: Who, owner: Who): boolean {
    return who === 'admin' || who === owner || this.#isBelow(owner, who);
  }

  #isBelow(one: Who, other: Seller): boolean {
    const above = one === 'admin' ? null : this.owners[one];
    return above !== null && (above === other || this.#isBelow(above, other));
  }

  #moveAccount(who: Who, other: Seller, owner: Seller | null): Outcome {
    this.#checkOther(who, other);
    if (who !== 'admin') throw new Refused('ADMIN_ONLY_FIELD');
    const isSame = owner === this.owners[other];
    if (!isSame && owner !== null && (owner === other || this.#isBelow(owner, other))) {
      throw new Refused('ACCOUNT_CIRCLE');
    }
    this.owners[other] = owner;
    return { moved: null, amount: 0, credits: this.balances[other] };
  }

  #find(who: Who, index: number): ModelLine {
    const line = this.lines[index];
    if (!line || line.is_gone || !this.#sees(who, line.owner)) throw new Refused('LINE_NOT_FOUND');
    return line;
  }

  #checkOther(who: Who, other: Seller): void {
    if (!this.#sees(who, other)) throw new Refused('USER_NOT_FOUND');
    if (who === other) throw new Refused('INVALID_USER_ID');
  }

  /** Spending uses the credits from above first, unless the spending was refunded. The rest stays with the account. */
  #checkFromAbove(seller: Seller, amount: number): void {
    const available = this.balances[seller];
    if (amount > available) {
      throw new Refused('INSUFFICIENT_CREDITS', { required: amount, available });
    }
    let above = 0;
    for (const { kind, from, to, amount: moved, is_refunded } of this.transfers) {
      if (to === seller && kind === 'transfer') above += moved;
      const isSpent = ['sale', 'renewal', 'transfer', 'take_back'].includes(kind);
      if (from === seller && isSpent && !is_refunded) above = Math.max(0, above - moved);
    }
    if (amount > Math.min(above, available)) throw new Refused('NOT_FROM_ABOVE');
  }

  #checkMonths(who: Who, months: number): void {
    if (who !== 'admin' && !(months in PRICES)) throw new Refused('INVALID_SUBSCRIPTION_MONTHS');
  }

  #move(kind: string, from: Place, to: Place, amount: number, told: Place = to): Outcome {
    const { balances } = this;
    if (from in balances) {
      const available = balances[from as Seller];
      if (available < amount) {
        throw new Refused('INSUFFICIENT_CREDITS', { required: amount, available });
      }
      balances[from as Seller] -= amount;
    }
    if (to in balances) balances[to as Seller] += amount;
    this.transfers.push({ kind, from, to, amount, is_refunded: false });
    return { moved: kind, amount, credits: balances[told as Seller] };
  }

  #pay(who: Who, kind: 'sale' | 'renewal', price: number): { cost: number; credits: number } {
    if (who === 'admin') return { cost: 0, credits: SHOWN_TO_ADMIN };
    if (price > 0) this.#move(kind, who, 'sales', price);
    return { cost: price, credits: this.balances[who] };
  }

  #sell(owner: Who, name: number, months: number | null): Outcome {
    const is_trial = months === null;
    if (months !== null) this.#checkMonths(owner, months);
    if (this.lines.some((line) => line.name === name && !line.is_gone)) {
      const price = is_trial || owner === 'admin' ? 0 : (PRICES[months] ?? 0);
      const available = owner === 'admin' ? 0 : this.balances[owner];
      if (price > available) {
        throw new Refused('INSUFFICIENT_CREDITS', { required: price, available });
      }
      throw new Refused('USERNAME_EXISTS');
    }
    if (is_trial && owner !== 'admin') {
      if (this.#tried.has(name)) throw new Refused('TRIAL_OF_NAME');
    }
    const trials = this.lines.filter(
      (line) =>
        line.owner === owner && line.is_trial && !line.is_gone && line.expiry >= this.#today,
    );
    if (is_trial && owner !== 'admin' && trials.length >= TRIAL_LIMIT) {
      throw new Refused('TRIAL_LIMIT_REACHED');
    }
    const paid = this.#pay(owner, 'sale', is_trial ? 0 : (PRICES[months] ?? 0));
    const expiry = is_trial ? plusDays(this.#today, TRIAL_DAYS) : plusMonths(this.#today, months);
    this.lines.push({ owner, name, expiry, is_trial, is_gone: false });
    if (is_trial && owner !== 'admin') this.#tried.add(name);
    return { ...paid, expiry, is_trial };
  }

  #renew(who: Who, index: number, months: number): Outcome {
    const line = this.#find(who, index);
    this.#checkMonths(who, months);
    const paid = this.#pay(who, 'renewal', PRICES[months] ?? 0);
    line.expiry = plusMonths(line.expiry > this.#today ? line.expiry : this.#today, months);
    line.is_trial = false;
    return { ...paid, expiry: line.expiry, is_trial: false };
  }

  #extend(who: Who, index: number, until: string): Outcome {
    const line = this.#find(who, index);
    const base = line.expiry > this.#today ? line.expiry : this.#today;
    if (who !== 'admin' && until <= base) throw new Refused('INVALID_EXPIRY_DATE');
    const price = cheapest(base, until);
    const paid = this.#pay(who, 'renewal', price);
    line.expiry = until;
    line.is_trial &&= price === 0;
    return { ...paid, expiry: until, is_trial: line.is_trial };
  }

  /** An edit to the date that the line already has changes nothing. */
  #edit(who: Who, index: number, until: string): Outcome {
    const line = this.#find(who, index);
    if (line.expiry !== until) return this.#extend(who, index, until);
    const { expiry, is_trial } = line;
    return {
      cost: 0,
      credits: who === 'admin' ? SHOWN_TO_ADMIN : this.balances[who],
      expiry,
      is_trial,
    };
  }

  #set(other: Seller, credits: number): Outcome {
    const difference = credits - this.balances[other];
    if (difference === 0) return { moved: null, amount: 0, credits };
    return difference > 0
      ? this.#move('adjustment', 'issuance', other, difference)
      : this.#move('adjustment', other, 'issuance', -difference, other);
  }

  #refund(index: number): Outcome {
    const paid = this.transfers[index];
    if (!paid) throw new Refused('TRANSFER_NOT_FOUND');
    if (paid.kind !== 'sale' && paid.kind !== 'renewal') throw new Refused('NOT_REFUNDABLE');
    if (paid.is_refunded) throw new Refused('ALREADY_REFUNDED');
    paid.is_refunded = true;
    return this.#move('refund', 'sales', paid.from, paid.amount);
  }
}
