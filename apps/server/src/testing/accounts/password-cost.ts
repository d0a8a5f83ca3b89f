import { setPasswordCost } from '../../platform/keys/passwords.ts';

/** Makes a password hash take a thousandth of the time that it takes in a real panel. */
export const hashCheaply = () => setPasswordCost({ memoryKib: 64, passes: 1 });

/** Makes passwords be hashed as in a real panel. */
export const hashFully = () => setPasswordCost();
