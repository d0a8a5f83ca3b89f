/** True if a price is higher than the balance that pays it. */
export const isShort = ({ cost, balance }: { cost: number; balance: number }): boolean =>
  cost > balance;
