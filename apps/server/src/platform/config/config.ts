import { resolve } from 'node:path';
import * as z from 'zod';
import { databaseTarget } from '../../db/postgres/hosts.ts';
import { errorMessage } from '../errors/error-message.ts';
import { addressPolicy } from '../http-client/address.ts';
import { type BackupSchedule, readSchedule } from '../jobs/schedule.ts';
import { isCommonPassword } from '../keys/passwords.ts';

function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

const list = (text: string) => text.split(/[\s,]+/).filter(Boolean);

function trustProxy(text: string | undefined): boolean | string[] {
  if (!text || text === 'false' || text === '0') return false;
  return text === 'true' || text === '1' ? true : list(text);
}

const proxy = z.union([
  z.enum(['loopback', 'linklocal', 'uniquelocal']),
  z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]),
]);

const proxies = z.string().refine((text) => {
  const trusted = trustProxy(text);
  return typeof trusted === 'boolean' || trusted.every((text) => proxy.safeParse(text).success);
}, 'must be true, false, or addresses and networks such as 10.0.0.0/8');

const networks = z.string().superRefine((text, check) => {
  try {
    addressPolicy({ allow: list(text), loopbackAllowed: false });
  } catch (error) {
    const message = errorMessage(error).replace('SERVER_NETWORK_ALLOW: ', '');
    check.addIssue({ code: 'custom', message });
  }
});

const schedule = z.string().transform((text, check): BackupSchedule | null => {
  const found = readSchedule(text);
  if (found !== undefined) return found;
  const message = `must be off, hourly, or a time of the day such as "daily 03:30", not "${text}"`;
  check.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const wholeNumber = (least: number, most: number) =>
  z.string().transform((text, check) => {
    const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    const message = `must be a whole number from ${least} to ${most}, not "${text}"`;
    check.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const ENCODED = 'in user and password # is written as %23, / as %2F, @ as %40 and % as %25';

const databaseAddress = z.string().superRefine((text, check) => {
  const complain = (message: string) => check.addIssue({ code: 'custom', message });
  if (!/^postgres(ql)?:\/\//.test(text)) return complain('must begin with postgres://');
  try {
    databaseTarget(text);
  } catch (error) {
    complain(
      `cannot be read (${errorMessage(error)}). The form is postgres://user:password@host:5432/name; ` +
        ENCODED,
    );
  }
});

const mailAddress = z.string().superRefine((text, check) => {
  const complain = (message: string) => check.addIssue({ code: 'custom', message });
  if (!/^smtps?:\/\//.test(text)) return complain('must begin with smtp:// or smtps://');
  if (URL.parse(text)?.hostname) return;
  complain(`cannot be read. The form is smtp://user:password@host:587; ${ENCODED}`);
});

const STORE =
  /^(?<scheme>https?|sftp):\/\/(?<user>[^\s:@/?#]+)@(?<host>[^\s:@/?#[\]]+|\[[\da-f:]+\])(?::(?<port>\d{1,5}))?(?<path>(?:\/[\w.-]+)*)\/?$/i;

const storeAddress = z.string().transform((text, check) => {
  const found = STORE.exec(text)?.groups;
  if (found && (found.scheme === 'sftp' || found.path))
    return { ...found } as Record<string, string>;
  const message =
    'must be https://accesskey@s3.example.org/bucket/folder for S3, or sftp://user@backup.example.org/folder; ' +
    'the secret belongs in BACKUP_STORE_SECRET';
  check.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** True for a web origin, and for a text that is not an address, which another check reports. */
function isOrigin(text: string): boolean {
  const address = URL.parse(text);
  return address === null || `${address.origin}/` === address.href;
}

const origin = z
  .url({ protocol: /^https?$/ })
  .refine(isOrigin, 'must be an address without a path')
  .optional();

const folderAddress = z.url({ protocol: /^https?$/ }).refine((text) => {
  const { search, hash, username, password } = URL.parse(text) ?? {};
  return !search && !hash && !username && !password;
}, 'must be the address of a folder, without ?, # or a password');

/** Empty variables count as absent, because compose files and .env contain them. */
const environment = z.object({
  PORT: wholeNumber(0, 65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'is not a time zone, such as Europe/Berlin')
    .default('UTC'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: databaseAddress.optional(),
  PUBLIC_URL: origin,
  ADMIN_EMAIL: z.email().optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(8, 'must be at least 8 characters')
    .refine((password) => !isCommonPassword(password), 'is too common')
    .optional(),
  SECRET_KEY: z.string().min(32, 'must be at least 32 characters').optional(),
  SMTP_URL: mailAddress.optional(),
  TRUST_PROXY: proxies.optional(),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[\w-]+$/, 'must be the name of a header')
    .default('cf-ipcountry'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SERVER_NETWORK_ALLOW: networks.default(''),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_\S+$/, 'must begin with sk_ or rk_')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, 'must begin with whsec_')
    .optional(),
  STRIPE_API_BASE: origin,
  BACKUP_SCHEDULE: schedule.optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_KEEP: wholeNumber(1, 10_000).default(14),
  BACKUP_COMMAND: z.string().optional(),
  BACKUP_STORE: storeAddress.optional(),
  BACKUP_STORE_SECRET: z.string().optional(),
  BACKUP_STORE_KEY_FILE: z.string().optional(),
  BACKUP_STORE_FINGERPRINT: z
    .string()
    .regex(/^SHA256:[\w+/]{43}$/, 'must be as ssh-keygen -l prints it, such as SHA256:…')
    .optional(),
  BACKUP_STORE_REGION: z.string().default('us-east-1'),
  BACKUP_RECIPIENT: z
    .string()
    .regex(/^age1[02-9ac-hj-np-z]{58,}$/, 'must be an age public key, which begins with age1')
    .optional(),
  AUDIT_KEEP_DAYS: wholeNumber(30, 36_500).optional(),
  JOB_KEEP_DAYS: wholeNumber(1, 36_500).default(90),
  UPDATE_FEED: folderAddress.optional(),
});

/** Names of the settings of the panel and of its commands. */
export const settingNames = [
  ...Object.keys(environment.shape),
  'PANEL_URL',
  'PANEL_API_KEY',
  'NEW_SECRET_KEY',
];

/** The error about a wrong combination of settings. */
const wrong = (problem: string) => new Error(`The configuration is invalid. ${problem}`);

/** Stripe, for card payments; null without them. `api_base` is another address than Stripe's own. */
function readStripeConfig(data: z.output<typeof environment>) {
  const { STRIPE_SECRET_KEY: secret_key, STRIPE_WEBHOOK_SECRET: webhook_secret } = data;
  if (secret_key && !webhook_secret) {
    throw wrong(
      'STRIPE_WEBHOOK_SECRET is required with STRIPE_SECRET_KEY: without it, the panel is not notified of payments',
    );
  }
  if (!webhook_secret) return null;
  if (!secret_key) throw wrong('STRIPE_SECRET_KEY is required with STRIPE_WEBHOOK_SECRET');
  const api_base = data.STRIPE_API_BASE ? new URL(data.STRIPE_API_BASE) : null;
  return { secret_key, webhook_secret, api_base };
}

/** The place to which each backup is copied, by a command or to a store; null for nowhere. */
function readCopyConfig(data: z.output<typeof environment>) {
  const { BACKUP_COMMAND: command, BACKUP_STORE: store, BACKUP_STORE_SECRET: secret } = data;
  if (command && store) throw wrong('Set BACKUP_COMMAND or BACKUP_STORE, not both');
  if (command) return { kind: 'command' as const, command: list(command) };
  if (!store) return null;
  const { scheme = '', host = '', port, path = '' } = store;
  const user = decodeURIComponent(store.user ?? '');
  if (scheme !== 'sftp') {
    if (!secret) throw wrong('BACKUP_STORE_SECRET is required: the secret key of the S3 store');
    const url = `${scheme}://${host}${port ? `:${port}` : ''}${path}`;
    return { kind: 's3' as const, url, user, secret, region: data.BACKUP_STORE_REGION };
  }
  const { BACKUP_STORE_KEY_FILE: key_file, BACKUP_STORE_FINGERPRINT: fingerprint } = data;
  if (!secret && !key_file)
    throw wrong('BACKUP_STORE_KEY_FILE or BACKUP_STORE_SECRET is required to sign in by SFTP');
  if (!fingerprint)
    throw wrong(
      `BACKUP_STORE_FINGERPRINT is required: the host key of ${host}, so that no other server can take its place`,
    );
  const signIn = {
    host: host.replace(/[[\]]/g, ''),
    port: Number(port ?? 22),
    user,
    secret,
    key_file,
    fingerprint,
  };
  // The folder is below the one in which the sign-in ends, which may be the only one that the user may see.
  return { kind: 'sftp' as const, ...signIn, folder: path.slice(1) || '.' };
}

/** The scheduled backups, how many are kept, and where copies go; null if there are none. */
function readBackupConfig(data: z.output<typeof environment>) {
  const { BACKUP_SCHEDULE: schedule, BACKUP_DIR: dir, BACKUP_KEEP: keep } = data;
  const copies = readCopyConfig(data);
  if (!schedule) {
    if (copies) throw wrong('BACKUP_SCHEDULE is required with BACKUP_COMMAND and BACKUP_STORE');
    return null;
  }
  if (!dir) throw wrong('BACKUP_DIR is required with BACKUP_SCHEDULE: the folder for backups');
  return { schedule, dir: resolve(dir), keep, copies, recipient: data.BACKUP_RECIPIENT ?? null };
}

export type Config = ReturnType<typeof readConfig>;
export type StripeConfig = NonNullable<Config['stripe']>;
export type BackupConfig = NonNullable<Config['backups']>;
export type CopyConfig = NonNullable<BackupConfig['copies']>;

/** Reads the environment; throws an error that names every invalid variable. */
export function readConfig(env: NodeJS.ProcessEnv) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { data, error } = environment.safeParse(given);
  if (error) {
    throw wrong(
      error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
    );
  }
  if (data.DATABASE_URL && !data.SECRET_KEY) {
    throw wrong('SECRET_KEY is required with DATABASE_URL');
  }
  return {
    port: data.PORT,
    host: data.HOST,
    time_zone: data.TIME_ZONE,
    data_dir: data.DATA_DIR,
    database_url: data.DATABASE_URL ?? null,
    public_url: data.PUBLIC_URL ? new URL(data.PUBLIC_URL) : null,
    admin_email: data.ADMIN_EMAIL?.toLowerCase() ?? null,
    admin_password: data.ADMIN_PASSWORD ?? null,
    secret_key: data.SECRET_KEY ?? null,
    smtp_url: data.SMTP_URL ?? null,
    /** Proxies whose X-Forwarded-For is trusted: true for all, or addresses and CIDRs. */
    trust_proxy: trustProxy(data.TRUST_PROXY),
    /** The header in which a trusted proxy names the client's country. */
    country_header: data.COUNTRY_HEADER.toLowerCase(),
    log_level: data.LOG_LEVEL,
    /** CIDRs of permitted private card servers. */
    server_network_allow: list(data.SERVER_NETWORK_ALLOW),
    stripe: readStripeConfig(data),
    /** The folder to which `npm run backup` writes; null for the default one. */
    backup_dir: data.BACKUP_DIR ? resolve(data.BACKUP_DIR) : null,
    backups: readBackupConfig(data),
    /** Days for which entries of the audit log are kept; null for ever. */
    audit_keep_days: data.AUDIT_KEEP_DAYS ?? null,
    /** Days for which ended jobs are kept. */
    job_keep_days: data.JOB_KEEP_DAYS,
    /** The folder with the newest release, with a slash at its end; null if nobody looks for new versions. */
    update_feed: data.UPDATE_FEED ? new URL(`${data.UPDATE_FEED.replace(/\/*$/, '')}/`) : null,
  };
}

/** True if only this machine can reach the panel. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
