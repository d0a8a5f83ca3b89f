import type account from '../../locales/en/account.json';
import type accounts from '../../locales/en/accounts.json';
import type activity from '../../locales/en/activity.json';
import type articles from '../../locales/en/articles.json';
import type audit from '../../locales/en/audit.json';
import type auth from '../../locales/en/auth.json';
import type bulk from '../../locales/en/bulk.json';
import type common from '../../locales/en/common.json';
import type contact from '../../locales/en/contact.json';
import type credits from '../../locales/en/credits.json';
import type dashboard from '../../locales/en/dashboard.json';
import type errors from '../../locales/en/errors.json';
import type frame from '../../locales/en/frame.json';
import type groups from '../../locales/en/groups.json';

import type lines from '../../locales/en/lines.json';
import type messages from '../../locales/en/messages.json';
import type palette from '../../locales/en/palette.json';
import type profile from '../../locales/en/profile.json';
import type redeem from '../../locales/en/redeem.json';
import type redeemCodes from '../../locales/en/redeemCodes.json';
import type servers from '../../locales/en/servers.json';
import type settings from '../../locales/en/settings.json';
import type sync from '../../locales/en/sync.json';
import type system from '../../locales/en/system.json';
import type tickets from '../../locales/en/tickets.json';
import type topUps from '../../locales/en/topUps.json';
import type twoFactor from '../../locales/en/twoFactor.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    returnNull: false;
    resources: {
      account: typeof account;
      accounts: typeof accounts;
      activity: typeof activity;
      articles: typeof articles;
      audit: typeof audit;
      auth: typeof auth;
      bulk: typeof bulk;
      // Looked up in the texts of the frame too (fallbackNS).
      common: typeof common & typeof frame;
      contact: typeof contact;
      credits: typeof credits;
      errors: typeof errors;
      frame: typeof frame;
      groups: typeof groups;
      dashboard: typeof dashboard;
      lines: typeof lines;
      messages: typeof messages;
      palette: typeof palette;
      profile: typeof profile;
      redeem: typeof redeem;
      redeemCodes: typeof redeemCodes;
      servers: typeof servers;
      settings: typeof settings;
      sync: typeof sync;
      system: typeof system;
      twoFactor: typeof twoFactor;
      tickets: typeof tickets;
      topUps: typeof topUps;
    };
  }
}
