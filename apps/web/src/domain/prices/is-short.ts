/** True if what is to be paid is more than there is: the one rule for all that costs credits. */
export const isShort = ({ cost, balance }: { cost: number; balance: number }): boolean =>
  cost > balance;
