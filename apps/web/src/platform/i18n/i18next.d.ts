// The type of the texts in each namespace, so that a key without a text does not compile.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    fallbackNS: ['common'];
    returnNull: false;
    resources: {
      account: typeof import('#locales/en/account.json');
      accounts: typeof import('#locales/en/accounts.json');
      activate: typeof import('#locales/en/activate.json');
      activationCodes: typeof import('#locales/en/activationCodes.json');
      activity: typeof import('#locales/en/activity.json');
      articles: typeof import('#locales/en/articles.json');
      audit: typeof import('#locales/en/audit.json');
      auth: typeof import('#locales/en/auth.json');
      bulk: typeof import('#locales/en/bulk.json');
      clients: typeof import('#locales/en/clients.json');
      // `common` includes the frame's texts, because keys are looked up there too (fallbackNS).
      common: typeof import('#locales/en/common.json') & typeof import('#locales/en/frame.json');
      contact: typeof import('#locales/en/contact.json');
      credits: typeof import('#locales/en/credits.json');
      dashboard: typeof import('#locales/en/dashboard.json');
      errors: typeof import('#locales/en/errors.json');
      frame: typeof import('#locales/en/frame.json');
      groups: typeof import('#locales/en/groups.json');
      line: typeof import('#locales/en/line.json');
      links: typeof import('#locales/en/links.json');
      lines: typeof import('#locales/en/lines.json');
      messages: typeof import('#locales/en/messages.json');
      palette: typeof import('#locales/en/palette.json');
      prices: typeof import('#locales/en/prices.json');
      profile: typeof import('#locales/en/profile.json');
      redeem: typeof import('#locales/en/redeem.json');
      redeemCodes: typeof import('#locales/en/redeemCodes.json');
      servers: typeof import('#locales/en/servers.json');
      settings: typeof import('#locales/en/settings.json');
      sync: typeof import('#locales/en/sync.json');
      system: typeof import('#locales/en/system.json');
      texts: typeof import('#locales/en/texts.json');
      tickets: typeof import('#locales/en/tickets.json');
      topUps: typeof import('#locales/en/topUps.json');
      twoFactor: typeof import('#locales/en/twoFactor.json');
      webhooks: typeof import('#locales/en/webhooks.json');
    };
  }
}

export {};
