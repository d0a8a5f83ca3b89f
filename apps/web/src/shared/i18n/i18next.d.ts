import type auth from '../../locales/en/auth.json';
import type bulk from '../../locales/en/bulk.json';
import type common from '../../locales/en/common.json';
import type errors from '../../locales/en/errors.json';
import type home from '../../locales/en/home.json';
import type lines from '../../locales/en/lines.json';
import type palette from '../../locales/en/palette.json';
import type profile from '../../locales/en/profile.json';
import type servers from '../../locales/en/servers.json';
import type sync from '../../locales/en/sync.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    returnNull: false;
    resources: {
      auth: typeof auth;
      bulk: typeof bulk;
      common: typeof common;
      errors: typeof errors;
      home: typeof home;
      lines: typeof lines;
      palette: typeof palette;
      profile: typeof profile;
      servers: typeof servers;
      sync: typeof sync;
    };
  }
}
