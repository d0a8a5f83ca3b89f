/**
 * Paths of OSCam's web interface. Names in them are bytes, one latin1 character each. The header of a sign-in is cut at
 * commas, so that no path has one.
 */
export const percentEncoded = (bytes: string) =>
  bytes.replace(/[^A-Za-z0-9]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);

export const STATS = '/oscamapi.html?part=userstats';
/** Answered in a few bytes: of a name that no account has. */
export const PROBE = `${STATS}&label=no%20such%20client`;
export const STATUS = '/oscamapi.html?part=status';
export const REREAD = '/userconfig.html?action=reinit';
/** The file as it is on the disk. It has what the pages do not tell, and it alone says that a change was written. */
export const USER_FILE = '/oscamapi.html?part=files&file=oscam.user';
/** The services that accounts may name. */
export const SERVICES_FILE = '/oscamapi.html?part=files&file=oscam.services';
/** Makes an account of a name that it does not know, so that it is for changes only. */
export const EDIT = '/user_edit.html';
export const SAVED = 'User Account updated and saved';
export const NOT_WRITTEN = 'Write Config failed!';

export const configOf = (name: string) =>
  `/oscamapi.html?part=userconfig&user=${percentEncoded(name)}`;
export const actionOn = (action: 'disable' | 'enable' | 'delete', name: string) =>
  `${STATS}&action=${action}&user=${percentEncoded(name)}&label=${percentEncoded(name)}`;
export const endOf = (thread: string) =>
  `${STATUS}&action=kill&threadid=${encodeURIComponent(thread)}`;

/** CCcam's sign-in compares so many bytes of a name. */
export const COMPARED_BYTES = 20;
