import type { ScreenName } from '../../apps/web/src/screens/screens.ts';
import type { Person } from '../support/people.ts';

export interface ExpectedScreen {
  /** Tag of the sentence of the specification that the screen proves. */
  tag?: string;
  person: Person | null;
  /** Heading that proves the screen has loaded. */
  heading: string | RegExp;
  /** Search string of the address. */
  search?: string;
}

/** The visitors and heading of each screen. The type requires an entry for every screen. */
export const expectedScreens: Record<ScreenName, ExpectedScreen[]> = {
  signIn: [{ tag: '@spec:2.2', person: null, heading: 'Sign in' }],
  signUp: [{ tag: '@spec:2.1', person: null, heading: 'Sign up' }],
  callback: [{ tag: '@spec:2.3', person: null, heading: /./ }],
  forgotPassword: [{ person: null, heading: 'Forgot your password?' }],
  resetPassword: [
    { person: null, heading: 'The link did not work' },
    { person: null, heading: 'Set a new password', search: '?token=anything' },
  ],
  notFound: [{ tag: '@spec:2.4', person: null, heading: 'Page not found' }],
  home: [
    { tag: '@spec:2.9', person: 'admin', heading: 'Dashboard' },
    { person: 'reseller', heading: 'Today' },
    { person: 'user', heading: 'Dashboard' },
  ],
  numbers: [{ person: 'reseller', heading: 'Numbers' }],
  lines: [
    { person: 'admin', heading: 'Lines' },
    { tag: '@spec:2.15', person: 'reseller', heading: 'Lines' },
    { person: 'reseller', heading: 'Lines', search: '?q=nothing-like-it' },
  ],
  addLine: [{ tag: '@spec:2.16', person: 'reseller', heading: 'Add line' }],
  line: [
    { person: 'reseller', heading: 'h.grossmann' },
    { person: 'admin', heading: 'h.grossmann', search: '?part=receiver' },
    { person: 'admin', heading: 'h.grossmann', search: '?part=edit' },
  ],
  tell: [{ person: 'admin', heading: 'Notify 1 customer' }],
  importLines: [{ person: 'reseller', heading: 'Import lines' }],
  resellers: [
    { tag: '@spec:2.24', person: 'admin', heading: 'Manage Resellers' },
    { person: 'admin', heading: 'Manage Resellers', search: '?q=nothing-like-it' },
    { tag: '@spec:2.24', person: 'reseller', heading: 'No access' },
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
    { tag: '@spec:2.20', person: 'admin', heading: 'Manage Groups' },
    { tag: '@spec:2.20', person: 'reseller', heading: 'No access' },
  ],
  addGroup: [{ person: 'admin', heading: /^(Manage Groups|Add group)$/ }],
  editGroup: [{ person: 'admin', heading: /^(Manage Groups|Admin)$/ }],
  redeemCode: [
    { tag: '@spec:2.38', person: 'user', heading: 'Redeem Code' },
    { person: 'admin', heading: 'Redeem Code' },
  ],
  redeemCodes: [
    { person: 'admin', heading: 'Manage Redeem Codes' },
    { person: 'admin', heading: 'Manage Redeem Codes', search: '?q=nothing-like-it' },
    { person: 'reseller', heading: 'No access' },
  ],
  addRedeemCodes: [{ person: 'admin', heading: 'Create codes' }],
  activationCodes: [
    { person: 'admin', heading: 'Activation codes' },
    { person: 'reseller', heading: 'Activation codes' },
    { person: 'user', heading: 'No access' },
  ],
  activate: [{ person: null, heading: 'Activate your code' }],
  knowledgeBase: [
    { person: 'admin', heading: 'How can we help?' },
    { tag: '@spec:2.32', person: 'user', heading: 'How can we help?' },
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
    { tag: '@spec:2.22', person: 'user', heading: 'Messages' },
    { person: 'user', heading: 'Messages', search: '?q=nothing-like-it' },
  ],
  createMessage: [
    { person: 'admin', heading: 'Create Message' },
    { tag: '@spec:2.23', person: 'reseller', heading: 'No access' },
  ],
  credits: [
    { person: 'admin', heading: 'Credits' },
    { person: 'reseller', heading: 'Credits' },
    { person: 'reseller', heading: 'Credits', search: '?q=nothing-like-it' },
    { person: 'user', heading: 'Credits' },
  ],
  pricing: [
    { person: 'admin', heading: 'Pricing' },
    { tag: '@spec:2.19', person: 'reseller', heading: 'Pricing' },
    { person: 'user', heading: 'Pricing' },
  ],
  topUps: [
    { person: 'admin', heading: 'Top-ups' },
    { person: 'reseller', heading: 'Top-ups' },
    { person: 'reseller', heading: 'Top-ups', search: '?q=nothing-like-it' },
    { person: 'user', heading: 'Top-ups' },
  ],
  prices: [
    { person: 'admin', heading: 'Plans and prices' },
    { person: 'admin', heading: 'Plans and prices', search: '?tab=lists' },
    { person: 'admin', heading: 'Plans and prices', search: '?tab=plans' },
    { person: 'reseller', heading: 'Plans and prices' },
    { person: 'user', heading: 'No access' },
  ],
  addPlan: [
    { person: 'admin', heading: /^(Plans and prices|Add plan)$/ },
    { person: 'reseller', heading: 'No access' },
  ],
  editPlan: [{ person: 'admin', heading: /^(Plans and prices|Standard)$/ }],
  contact: [
    { tag: '@spec:2.40', person: null, heading: 'Contact us' },
    { person: 'user', heading: 'Contact us' },
  ],
  contactUs: [
    { tag: '@spec:2.33', person: 'user', heading: 'Contact us' },
    { person: 'reseller', heading: 'Contact us' },
  ],
  contactInbox: [
    { person: 'admin', heading: 'Contact messages' },
    { person: 'admin', heading: 'Contact messages', search: '?q=nothing-like-it' },
    { person: 'reseller', heading: 'No access' },
  ],
  setup: [
    { tag: '@spec:2.37', person: 'admin', heading: 'Database setup' },
    { person: 'reseller', heading: 'No access' },
  ],
  connectionTest: [
    { tag: '@spec:2.39', person: 'admin', heading: 'Connection test' },
    { person: 'reseller', heading: 'No access' },
  ],
  tickets: [
    { person: 'admin', heading: 'Tickets' },
    { person: 'admin', heading: 'Tickets', search: '?q=nothing-like-it' },
    { person: 'reseller', heading: 'Tickets' },
    { tag: '@spec:2.34', person: 'user', heading: 'Tickets' },
  ],
  newTicket: [{ tag: '@spec:2.35', person: 'user', heading: 'New ticket' }],
  ticket: [
    { person: 'admin', heading: 'Move two lines from Warsaw 1 to Warsaw 2' },
    { tag: '@spec:2.36', person: 'reseller', heading: 'Move two lines from Warsaw 1 to Warsaw 2' },
  ],
  audit: [
    { person: 'admin', heading: 'Audit log' },
    { person: 'admin', heading: 'Audit log', search: '?q=nothing-like-it' },
    { person: 'reseller', heading: 'No access' },
  ],
  servers: [
    { tag: '@spec:2.26', person: 'admin', heading: 'CCcam Servers' },
    { tag: '@spec:2.26', person: 'reseller', heading: 'No access' },
  ],
  addServer: [{ tag: '@spec:2.27', person: 'admin', heading: 'Add server' }],
  server: [{ person: 'admin', heading: /./ }],
  serverLines: [
    { person: 'admin', heading: /./ },
    { person: 'admin', heading: /./, search: '?q=nothing-like-it' },
  ],
  serverClients: [{ person: 'admin', heading: /./ }],
  serverDifferences: [{ person: 'admin', heading: /./ }],
  serverHealth: [{ person: 'admin', heading: /./ }],
  serverTest: [{ person: 'admin', heading: /./ }],
  editServer: [{ person: 'admin', heading: /./ }],
  sampleUsers: [
    { tag: '@spec:2.10', person: 'user', heading: 'Sample users' },
    { person: 'reseller', heading: 'Sample users' },
  ],
  sampleProducts: [{ tag: '@spec:2.11', person: 'user', heading: 'Sample products' }],
  sampleBlog: [{ tag: '@spec:2.12', person: 'user', heading: 'Sample blog' }],
  sync: [
    { person: 'admin', heading: 'Sync' },
    { person: 'admin', heading: 'Sync', search: '?tab=orphans' },
  ],
  texts: [{ person: 'reseller', heading: 'Your texts' }],
  profile: [{ tag: '@spec:2.13', person: 'reseller', heading: 'Profile' }],
  webhooks: [{ person: 'reseller', heading: 'Webhooks' }],
  settings: [
    { person: 'admin', heading: 'Settings' },
    { tag: '@spec:2.41', person: 'user', heading: 'Settings' },
  ],
};
