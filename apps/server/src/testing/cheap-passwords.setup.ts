import { hashCheaply } from './accounts/password-cost.ts';

hashCheaply();
