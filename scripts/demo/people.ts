/** Everybody who can sign in to the demo. */
export const people = {
  admin: {
    email: 'admin@demo.example',
    password: 'demo-admin-1',
    full_name: 'Tom Whitfield',
    language: 'en',
    what: 'Administrator',
  },
  german: {
    email: 'kaethe@demo.example',
    password: 'demo-kaethe-1',
    full_name: 'Käthe Weiß',
    language: 'de',
    what: 'Reseller, in German',
  },
  polish: {
    email: 'grazyna@demo.example',
    password: 'demo-grazyna-1',
    full_name: 'Grażyna Szczęsna',
    language: 'pl',
    what: 'Reseller, in Polish',
  },
  portuguese: {
    email: 'rui@demo.example',
    password: 'demo-rui-1',
    full_name: 'Rui Carvalho',
    language: 'pt',
    what: 'Reseller, in Portuguese',
  },
  user: {
    email: 'anna@demo.example',
    password: 'demo-anna-1',
    full_name: 'Anna Hill',
    language: 'en',
    what: 'User without lines',
  },
} as const;

/** The sign-in of the panel at both agents. */
export const agentLogin = { username: 'panel', password: 'demo-agent-1' };
