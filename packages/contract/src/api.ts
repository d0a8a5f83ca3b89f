import * as accounts from './accounts/accounts.ts';
import * as bans from './accounts/bans.ts';
import * as groups from './accounts/groups.ts';
import * as twoFactorOfOthers from './accounts/two-factor.ts';
import * as activity from './activity.ts';
import * as articles from './articles.ts';
import * as audit from './audit.ts';
import * as apiKeys from './auth/api-keys.ts';
import * as auth from './auth/auth.ts';
import * as emailChange from './auth/email-change.ts';
import * as sessions from './auth/sessions.ts';
import * as twoFactor from './auth/two-factor.ts';
import * as contact from './contact.ts';
import * as redeemCodes from './credits/redeem-codes.ts';
import * as topUps from './credits/top-ups.ts';
import * as transfers from './credits/transfers.ts';
import * as dashboard from './dashboard.ts';
import type { Endpoint } from './endpoint.ts';
import * as geo from './geo.ts';
import * as bulk from './lines/bulk.ts';
import * as lineChanges from './lines/line-changes.ts';
import * as lines from './lines/lines.ts';
import * as preferences from './lists/preferences.ts';
import * as messages from './messages.ts';
import * as notifications from './notifications.ts';
import * as compare from './servers/compare.ts';
import * as health from './servers/health.ts';
import * as orphans from './servers/orphans.ts';
import * as outages from './servers/outages.ts';
import * as servers from './servers/servers.ts';
import * as sync from './servers/sync.ts';
import * as takeOver from './servers/take-over.ts';
import * as testCall from './servers/test-call.ts';
import * as settings from './settings.ts';
import * as system from './system.ts';
import * as attachments from './tickets/attachments.ts';
import * as cannedReplies from './tickets/canned-replies.ts';
import * as tickets from './tickets/tickets.ts';

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'access' in value;
}

/** Every endpoint, for code that must cover all of them: mounting, documentation, access tests. */
export const endpoints: readonly Endpoint[] = [
  auth,
  sessions,
  apiKeys,
  emailChange,
  twoFactor,
  preferences,
  settings,
  dashboard,
  lines,
  lineChanges,
  bulk,
  servers,
  outages,
  health,
  compare,
  takeOver,
  testCall,
  sync,
  orphans,
  accounts,
  bans,
  twoFactorOfOthers,
  groups,
  transfers,
  redeemCodes,
  topUps,
  contact,
  messages,
  notifications,
  tickets,
  attachments,
  cannedReplies,
  audit,
  activity,
  system,
  articles,
  geo,
]
  .flatMap((feature) => Object.values(feature) as unknown[])
  .filter(isEndpoint);
