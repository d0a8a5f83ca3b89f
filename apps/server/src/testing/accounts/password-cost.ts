import { setPasswordCost } from '../../platform/keys/passwords.ts';

/** From now on a hash takes a thousandth of what a real panel's takes. */
export const hashCheaply = () => setPasswordCost({ memoryKib: 64, passes: 1 });

/** From now on passwords are hashed as a real panel does. */
export const hashFully = () => setPasswordCost();
