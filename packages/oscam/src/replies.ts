import { WebifFailure } from './failure.ts';

/** Name and start of OSCam, as each reply of its API has them. */
export type Server = { server: string; started_at: string };
export type Head = Server & {
  isReadOnly: boolean;
  /** Minutes by which its clock was ahead of UTC at its start; null where it does not say. */
  zone: number | null;
};

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code, name) =>
    code ? String.fromCharCode(Number(code)) : (ENTITIES[name] ?? whole),
  );
}

/** OSCam prints moments as 2026-11-27T22:00:52+0000. */
export function momentOf(text: string | undefined): string | null {
  const moment = new Date((text ?? '').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

const MINUTES = 60;

function zoneOf(moment: string | undefined): number | null {
  const [, sign, hours, minutes] = /([+-])(\d\d)(\d\d)$/.exec(moment ?? '') ?? [];
  if (!sign) return null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * MINUTES + Number(minutes));
}

export function attributesOf(text: string): Map<string, string> {
  const found = text.matchAll(/([\w-]+)="([^"]*)"/g);
  return new Map(Array.from(found, ([, name = '', value = '']) => [name, unescapeXml(value)]));
}

function elementsOf(text: string): Map<string, string> {
  const found = text.matchAll(/<(\w+)>([^<]*)<\/\1>/g);
  return new Map(Array.from(found, ([, name = '', value = '']) => [name, unescapeXml(value)]));
}

/** Throws NOT_OSCAM for anything but a reply of OSCam's API. */
export function readHead(body: string): Head {
  const head = /<oscam\s([^>]*)>/.exec(body)?.[1];
  const fields = attributesOf(head ?? '');
  const version = fields.get('version');
  if (head === undefined || version === undefined) throw new WebifFailure('NOT_OSCAM');
  return {
    server: `OSCam ${version.split('-')[0]}`,
    started_at: momentOf(fields.get('starttime')) ?? '',
    isReadOnly: fields.get('readonly') === '1',
    zone: zoneOf(fields.get('starttime')),
  };
}

/** The error that the API tells in place of what was asked for. */
export function readError(body: string): string | undefined {
  const error = /<error>([^<]*)<\/error>/.exec(body)?.[1];
  return error === undefined ? undefined : unescapeXml(error);
}

/** Names in a list of users. */
export function readNames(body: string): string[] {
  return Array.from(body.matchAll(/<user name="([^"]*)"/g), ([, name = '']) => unescapeXml(name));
}

export type UserRow = { user: string; isDisabled: boolean };

/** Accounts in a list of users; names are bytes, one latin1 character each. */
export function readUsers(body: string): UserRow[] {
  return Array.from(body.matchAll(/<user (name="[^>]*)>/g), ([, row = '']) => {
    const fields = attributesOf(row);
    const isDisabled = (fields.get('status') ?? '').includes('(disabled)');
    return { user: fields.get('name') ?? '', isDisabled };
  });
}

/** The settings of an account; undefined if OSCam has none of that name. */
export function readUserConfig(body: string): ReadonlyMap<string, string> | undefined {
  const account = /<account>([\s\S]*?)<\/account>/.exec(body)?.[1];
  return account === undefined ? undefined : elementsOf(account);
}

/** Days of accounts by the MD5 of their names, from the list of users in JSON; older builds give the names themselves. */
export function readDays(body: string): ReadonlyMap<string, string> {
  const found = body.matchAll(
    /"user(?:md5|name)?"\s*:\s*"(?:id_)?([^"]*)"(?:(?!"user(?:md5|name)?"\s*:\s*")[\s\S])*?"expdate"\s*:\s*"([^"]*)"/g,
  );
  return new Map(Array.from(found, ([, name = '', day = '']) => [name, day]));
}
