export const accounts = {
  admin: {
    email: 'tom@linekeeper.example',
    password: 'tom-whitfield-1',
    full_name: 'Tom Whitfield',
  },
  reseller: {
    email: 'grazyna@szczesna.example',
    password: 'grazyna-szczesna-1',
    full_name: 'Grażyna Szczęsna',
  },
  user: { email: 'kaethe@weiss.example', password: 'kaethe-weiss-1', full_name: 'Käthe Weiß' },
} as const;
export type Person = keyof typeof accounts;

export const agentCredentials = { username: 'panel', password: 'agent:pässword' };

/** The key with which the panel encrypts stored secrets. */
export const secretKey = 'a secret key of the browser tests, long enough';
