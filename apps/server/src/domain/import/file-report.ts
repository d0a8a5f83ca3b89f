import { type FoundLine, type FriendOption, summarise } from '@linekeeper/line-files/found-line.ts';
import type { FoundFile } from './read-file.ts';

/** Options of an F line in words. */
const options: Record<FriendOption, string> = {
  hops: 'hops',
  rights: 'emus and EMMs',
  shareLimits: 'share limits',
  channelLimits: 'channel limits',
  timeSlots: 'time slots',
  hosts: 'hosts',
};
const wordOf = (kind: string) => options[kind as FriendOption] ?? kind;

/** No longer list is read by anybody. */
const MOST_ROWS = 100;

export function rowsText(rows: readonly number[]): string {
  const named = rows.slice(0, MOST_ROWS).join(', ');
  const more = rows.length > MOST_ROWS ? ` and ${rows.length - MOST_ROWS} more` : '';
  return `${rows.length === 1 ? 'row' : 'rows'} ${named}${more}`;
}

interface Asked {
  takesSwitchedOff: boolean;
}

type FoundLines = FoundFile & { kind: 'lines' };

function sayOfSettings(
  format: string,
  count: number,
  kinds: ReturnType<typeof summarise>['notTaken'],
) {
  if (kinds.length === 0) return [];
  const named = kinds.map((one) => `${wordOf(one.kind)} (${one.count} of ${count})`);
  const isTable = format === 'CSV of lines';
  const where = isTable
    ? ''
    : '. They stay where the agent takes the old rows over; a line that it writes has its own settings';
  return [
    `${isTable ? 'Columns not taken' : 'Settings not taken over'}: ${named.join(', ')}${where}`,
  ];
}

function sayOfSwitchedOff({ format, switchedOff, switchedOffRows }: FoundLines, asked: Asked) {
  const { length } = switchedOffRows;
  if (length === 0) return [];
  const what = format === 'CCcam.cfg' ? 'F row' : 'account';
  const one = `${length} ${what} is switched off by a comment`;
  const many = `${length} ${what}s are switched off by a comment`;
  const rows = rowsText(switchedOffRows);
  if (asked.takesSwitchedOff && switchedOff.length > 0) {
    return [`${length === 1 ? one : many}, to be suspended: ${rows}`];
  }
  const how = switchedOff.length > 0 ? '. --switched-off suspended adopts them as suspended' : '';
  return [`${length === 1 ? `${one} and was` : `${many} and were`} not read: ${rows}${how}`];
}

/**
 * Sentences that an operator has to read before anything is done with a file; of its lines those that are
 * not refused.
 */
export function sayOfFile(found: FoundFile, lines: readonly FoundLine[], asked: Asked): string[] {
  if (found.kind === 'accounts') {
    return found.ignored.length > 0 ? [`Columns not taken: ${found.ignored.join(', ')}`] : [];
  }
  const { encoding, format } = found;
  const { notTaken, notAscii, unwrapped, addedUnclear } = summarise(lines);
  const isCodePage = encoding.startsWith('Windows');
  return [
    ...(isCodePage ? [`Read as ${encoding}; --encoding names another`] : []),
    ...sayOfSettings(format, lines.length, notTaken),
    ...sayOfSwitchedOff(found, asked),
    ...(notAscii.length > 0
      ? [
          `Usernames or passwords with characters outside ASCII, which receivers may send in another encoding than UTF-8: ${rowsText(notAscii)}`,
        ]
      : []),
    ...(unwrapped.length > 0
      ? [`Spreadsheet protection was removed from usernames or passwords: ${rowsText(unwrapped)}`]
      : []),
    ...(addedUnclear.length > 0
      ? [`It is unclear when lines were added, so today’s date is used: ${rowsText(addedUnclear)}`]
      : []),
  ];
}
