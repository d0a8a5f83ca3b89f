import { normalGroups } from './files/oscam-user.ts';

const HIGHEST_GROUP = 64;
const MOST_HOPS = 255;

/** `caid:id`, with hops in the first list, with a service in the second; hexadecimal but the hops. */
const SHARE = /^[0-9a-f]{1,4}:[0-9a-f]{1,6}(:\d{1,3})?$/i;
const SERVICE = /^[0-9a-f]{1,4}:[0-9a-f]{1,6}:[0-9a-f]{1,4}$/i;
const HOURS = /^([01]?\d|2[0-4]):[0-5]\d-([01]?\d|2[0-4]):[0-5]\d$/;
const LISTS = [SHARE, SERVICE, HOURS];
const HOST = /^(?!\d+$)[\p{L}\p{N}.:-]+$/u;

/** The groups of new rows in oscam.user. */
export function checkGroups(text: string): string {
  const groups = text.split(',').map((part) => part.trim());
  for (const group of groups) {
    if (/^\d+$/.test(group) && Number(group) >= 1 && Number(group) <= HIGHEST_GROUP) continue;
    throw new Error(
      `OSCAM_GROUP '${text}' is no list of groups: give numbers from 1 to ${HIGHEST_GROUP}, as in 1 or 1,2,10`,
    );
  }
  return normalGroups(text);
}

function areItems(list: string, item: RegExp | undefined): boolean {
  const items = list.trim() === '' ? [] : list.split(',').map((part) => part.trim());
  return item !== undefined && items.every((text) => item.test(text));
}

/** Hops, emus and card updates, up to three lists in braces, and a host; each but the first may be missing. */
function isForm(text: string): boolean {
  const numbers = /^(?:\d+(?:\s+|(?=\{)|$)){0,3}/.exec(text)?.[0] ?? '';
  const [hops = '0', ...flags] = numbers.trim().split(/\s+/);
  if (numbers === '') return text === '';
  if (Number(hops) > MOST_HOPS || flags.some((flag) => !/^[01]$/.test(flag))) return false;
  let rest = text.slice(numbers.length);
  for (let count = 0; rest.startsWith('{'); count += 1) {
    const end = rest.indexOf('}');
    if (end === -1 || !areItems(rest.slice(1, end), LISTS[count])) return false;
    rest = rest.slice(end + 1).trimStart();
  }
  return rest === '' || HOST.test(rest);
}

/** Checks the options of new F lines behind name and password. */
export function checkOptions(text: string): string {
  const options = text.replace(/[ \t]+/g, ' ').trim();
  // A # would begin a comment, and a control character end the line.
  if (!/[#\p{Cc}]/u.test(options) && isForm(options)) return options;
  throw new Error(
    `CCCAM_F_OPTIONS '${text}' is not what stands behind F: user password: give hops, and 0 or 1 for emus and ` +
      'for card updates, then lists in braces, as in 1 0 1 { 0:0:1 }',
  );
}
