/**
 * Percent-encodes a name in a path of OSCam's web interface. Names are bytes, one latin1 character
 * each. Commas are encoded, too, because OSCam cuts the header of a sign-in at commas.
 */
export const percentEncoded = (bytes: string) =>
  bytes.replace(/[^A-Za-z0-9]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);

export const STATS = '/oscamapi.html?part=userstats';
/** The path of a page to which OSCam responds with a few bytes, because no account has this name. */
export const PROBE = `${STATS}&label=no%20such%20client`;
export const STATUS = '/oscamapi.html?part=status';
export const REREAD = '/userconfig.html?action=reinit';
/** Path of the file on the disk, with data that the pages lack. Only the file proves that a change was written. */
export const USER_FILE = '/oscamapi.html?part=files&file=oscam.user';
/** Path of the services that accounts may name. */
export const SERVICES_FILE = '/oscamapi.html?part=files&file=oscam.services';
/** Path of the readers, which has their passwords. */
export const SERVER_FILE = '/oscamapi.html?part=files&file=oscam.server';
/** Path of the form of an account. It is used for changes only, because it creates an account that does not exist. */
export const EDIT = '/user_edit.html';
export const SAVED = 'User Account updated and saved';
export const NOT_WRITTEN = 'Write Config failed!';

export const configOf = (name: string) =>
  `/oscamapi.html?part=userconfig&user=${percentEncoded(name)}`;
export const actionOn = (action: 'disable' | 'enable' | 'delete', name: string) =>
  `${STATS}&action=${action}&user=${percentEncoded(name)}&label=${percentEncoded(name)}`;
export const endOf = (thread: string) =>
  `${STATUS}&action=kill&threadid=${encodeURIComponent(thread)}`;

/** Bytes of a name that CCcam compares when a client signs in. */
export const COMPARED_BYTES = 20;
