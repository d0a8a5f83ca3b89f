import type { ScreenName } from '../../apps/web/src/screens/screens.ts';
import type { Person } from '../support/people.ts';

export interface Visit {
  person: Person | null;
  /** Heading that proves the screen has loaded. */
  heading: string | RegExp;
  /** Search string of the address. */
  search?: string;
}

/** The visitors and heading of each screen. The type requires an entry for every screen. */
export const visits: Record<ScreenName, Visit[]> = {
  signIn: [{ person: null, heading: 'Sign in' }],
  signUp: [{ person: null, heading: 'Sign up' }],
  callback: [{ person: null, heading: /./ }],
  forgotPassword: [{ person: null, heading: 'Forgot your password?' }],
  resetPassword: [
    { person: null, heading: 'The link did not work' },
    { person: null, heading: 'Set a new password', search: '?token=anything' },
  ],
  notFound: [{ person: null, heading: 'Page not found' }],
  home: [
    { person: 'admin', heading: 'Dashboard' },
    { person: 'reseller', heading: 'Dashboard' },
    { person: 'user', heading: 'Dashboard' },
  ],
  lines: [
    { person: 'admin', heading: 'Lines' },
    { person: 'reseller', heading: 'Lines' },
    { person: 'reseller', heading: 'Lines', search: '?q=nothing-like-it' },
  ],
  addLine: [{ person: 'reseller', heading: 'Add line' }],
  editLine: [{ person: 'admin', heading: /^Edit h\.grossmann/ }],
  importLines: [{ person: 'reseller', heading: 'Import lines' }],
  resellers: [
    { person: 'admin', heading: 'Manage Resellers' },
    { person: 'admin', heading: 'Manage Resellers', search: '?q=nothing-like-it' },
    { person: 'reseller', heading: 'No access' },
  ],
  addAccount: [{ person: 'admin', heading: 'Add account' }],
  myAccounts: [
    { person: 'reseller', heading: 'My accounts' },
    { person: 'reseller', heading: 'My accounts', search: '?q=nothing-like-it' },
    { person: 'user', heading: 'No access' },
  ],
  addOwnAccount: [{ person: 'reseller', heading: 'Add account' }],
  account: [
    { person: 'admin', heading: 'Grażyna Szczęsna' },
    { person: 'reseller', heading: 'Grażyna Szczęsna' },
    { person: 'admin', heading: 'Grażyna Szczęsna', search: '?tab=credits' },
    { person: 'admin', heading: 'Grażyna Szczęsna', search: '?tab=lines' },
    { person: 'admin', heading: 'Grażyna Szczęsna', search: '?tab=activity' },
    { person: 'reseller', heading: 'Grażyna Szczęsna', search: '?tab=lines' },
  ],
  groups: [
    { person: 'admin', heading: 'Manage Groups' },
    { person: 'reseller', heading: 'No access' },
  ],
  addGroup: [{ person: 'admin', heading: /^(Manage Groups|Add group)$/ }],
  editGroup: [{ person: 'admin', heading: /^(Manage Groups|Admin)$/ }],
  redeemCode: [
    { person: 'user', heading: 'Redeem Code' },
    { person: 'admin', heading: 'Redeem Code' },
  ],
  redeemCodes: [
    { person: 'admin', heading: 'Manage Redeem Codes' },
    { person: 'admin', heading: 'Manage Redeem Codes', search: '?q=nothing-like-it' },
    { person: 'reseller', heading: 'No access' },
  ],
  addRedeemCodes: [{ person: 'admin', heading: 'Create codes' }],
  knowledgeBase: [
    { person: 'admin', heading: 'How can we help?' },
    { person: 'user', heading: 'How can we help?' },
    { person: 'reseller', heading: 'How can we help?', search: '?q=nothing-like-it' },
    { person: 'admin', heading: 'How can we help?', search: '?category=lines' },
  ],
  addArticle: [
    { person: 'admin', heading: 'Write article' },
    { person: 'reseller', heading: 'No access' },
  ],
  editArticle: [{ person: 'admin', heading: 'Edit article' }],
  article: [
    { person: 'admin', heading: 'How credits work' },
    { person: 'user', heading: 'How credits work' },
  ],
  messages: [
    { person: 'admin', heading: 'Messages' },
    { person: 'user', heading: 'Messages' },
    { person: 'user', heading: 'Messages', search: '?q=nothing-like-it' },
  ],
  createMessage: [
    { person: 'admin', heading: 'Create Message' },
    { person: 'reseller', heading: 'No access' },
  ],
  credits: [
    { person: 'admin', heading: 'Credits' },
    { person: 'reseller', heading: 'Credits' },
    { person: 'reseller', heading: 'Credits', search: '?q=nothing-like-it' },
    { person: 'user', heading: 'Credits' },
  ],
  pricing: [
    { person: 'admin', heading: 'Pricing' },
    { person: 'reseller', heading: 'Pricing' },
    { person: 'user', heading: 'Pricing' },
  ],
  topUps: [
    { person: 'admin', heading: 'Top-ups' },
    { person: 'reseller', heading: 'Top-ups' },
    { person: 'reseller', heading: 'Top-ups', search: '?q=nothing-like-it' },
    { person: 'user', heading: 'Top-ups' },
  ],
  contact: [
    { person: null, heading: 'Contact us' },
    { person: 'user', heading: 'Contact us' },
  ],
  contactUs: [
    { person: 'user', heading: 'Contact us' },
    { person: 'reseller', heading: 'Contact us' },
  ],
  contactInbox: [
    { person: 'admin', heading: 'Contact messages' },
    { person: 'admin', heading: 'Contact messages', search: '?q=nothing-like-it' },
    { person: 'reseller', heading: 'No access' },
  ],
  setup: [
    { person: 'admin', heading: 'Database setup' },
    { person: 'reseller', heading: 'No access' },
  ],
  connectionTest: [
    { person: 'admin', heading: 'Connection test' },
    { person: 'reseller', heading: 'No access' },
  ],
  tickets: [
    { person: 'admin', heading: 'Tickets' },
    { person: 'admin', heading: 'Tickets', search: '?q=nothing-like-it' },
    { person: 'reseller', heading: 'Tickets' },
    { person: 'user', heading: 'Tickets' },
  ],
  newTicket: [{ person: 'user', heading: 'New ticket' }],
  ticket: [
    { person: 'admin', heading: 'Move two lines from Warsaw 1 to Warsaw 2' },
    { person: 'reseller', heading: 'Move two lines from Warsaw 1 to Warsaw 2' },
  ],
  audit: [
    { person: 'admin', heading: 'Audit log' },
    { person: 'admin', heading: 'Audit log', search: '?q=nothing-like-it' },
    { person: 'reseller', heading: 'No access' },
  ],
  servers: [
    { person: 'admin', heading: 'CCcam Servers' },
    { person: 'reseller', heading: 'No access' },
  ],
  addServer: [{ person: 'admin', heading: 'Add server' }],
  editServer: [{ person: 'admin', heading: 'Edit server' }],
  checkServers: [{ person: 'admin', heading: 'Check servers' }],
  serverHealth: [{ person: 'admin', heading: /^Health of / }],
  testApi: [{ person: 'admin', heading: 'Test API' }],
  sampleUsers: [
    { person: 'user', heading: 'Sample users' },
    { person: 'reseller', heading: 'Sample users' },
  ],
  sampleProducts: [{ person: 'user', heading: 'Sample products' }],
  sampleBlog: [{ person: 'user', heading: 'Sample blog' }],
  sync: [
    { person: 'admin', heading: 'Sync' },
    { person: 'admin', heading: 'Sync', search: '?tab=orphans' },
  ],
  profile: [{ person: 'reseller', heading: 'Profile' }],
  settings: [
    { person: 'admin', heading: 'Settings' },
    { person: 'user', heading: 'Settings' },
  ],
};
