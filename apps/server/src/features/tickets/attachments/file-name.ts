import {
  type AttachmentType,
  fileEndings,
  MAX_FILE_NAME,
} from '@linekeeper/contract/tickets/attachments.ts';
import { failField } from '../../../platform/errors/refusal.ts';

/** Separators of folders, control characters, and what writes a name backwards. */
const UNSAFE = /[/\\\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** The name without spaces around it. Throws FILE_NAME_REFUSED. */
export function soundName(given: string): string {
  const name = given.trim().normalize('NFC');
  const isSound = !UNSAFE.test(given) && !/^\.*$/.test(name) && name.length <= MAX_FILE_NAME;
  return isSound ? name : failField('file', 'FILE_NAME_REFUSED', { maximum: MAX_FILE_NAME });
}

/** A name that says what the file is, so that no computer opens it as anything else. */
export function nameFor(type: AttachmentType, name: string): string {
  const endings = fileEndings[type];
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (endings.includes(ending)) return name;
  const added = `.${endings[0]}`;
  const letters = [...name];
  while (letters.join('').length + added.length > MAX_FILE_NAME) letters.pop();
  return letters.join('') + added;
}
