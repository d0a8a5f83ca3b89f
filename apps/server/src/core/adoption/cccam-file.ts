import { type FoundLine, noLine, RowFault } from './outcome.ts';

/** F: name password uphops shareemus shareemm { share limits } # comment. Other rows are no accounts. */
const FRIEND = /^\s*F\s*:\s*(.*)$/i;
const DATE =
  /(?<![\d./-])(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?![\d./-])/g;
const UNTIL = /(?:exp\w*|until|valid\w*|end\w*|bis|ablauf|do)[\s:=-]*$/i;

interface Dated {
  expiry: string | null;
  fault: RowFault | null;
}

/** The only date of a text, or of several the only one that is called the end. */
function dateIn(text: string): Dated {
  const dates = [...text.matchAll(DATE)];
  const ends = dates.filter(({ index }) => UNTIL.test(text.slice(0, index)));
  const [first, ...others] = dates.length > 1 && ends.length > 0 ? ends : dates;
  const fault = new RowFault(
    'expiry',
    'The row holds several dates: it is not clear which is the end',
  );
  return others.length > 0 ? { expiry: null, fault } : { expiry: first?.[0] ?? null, fault: null };
}

function readFriend(number: number, text: string): FoundLine {
  const comment = /(?:^|\s|\})#(.*)$/.exec(text);
  const account = comment ? text.slice(0, comment.index + 1) : text;
  const braces = account.indexOf('{');
  const [username = '', password = ''] = (braces < 0 ? account : account.slice(0, braces))
    .trim()
    .split(/\s+/);
  const options = braces < 0 ? '' : account.slice(braces);
  const notes = comment?.[1]?.trim() || null;
  return {
    ...noLine,
    number,
    username: username === '#' ? '' : username,
    password: password === '#' ? '' : password,
    notes,
    ...dateIn(`${options} ${notes ?? ''}`),
  };
}

/** The accounts of a CCcam.cfg. */
export function readCccam(text: string): FoundLine[] {
  return text.split(/\r\n?|\n/).flatMap((row, index) => {
    const friend = FRIEND.exec(row)?.[1];
    return friend === undefined ? [] : [readFriend(index + 1, friend)];
  });
}
