import type { WhoIsOn } from '@linekeeper/oscam/who-is-on.ts';

/** The means by which a card server says who is on. */
export type SessionsSource = {
  /** The file of accounts that it tells of. */
  file: 'CCcam.cfg' | 'oscam.user';
  read(): Promise<WhoIsOn>;
  /** Ends the account's sessions and returns their number; absent if the card server cannot. */
  end?(isAccount: (name: string) => boolean): Promise<number>;
  close(): void;
};
