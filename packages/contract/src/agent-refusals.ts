/**
 * Codes of an agent's refusals, each with its sentence. The web app translates by the code. Other
 * card servers send no code, and their sentence is shown untranslated.
 */
export const agentRefusals = {
  CANNOT_END_SESSIONS: 'This card server cannot end sessions.',
  FILE_NOT_READ: 'Could not read {file}. Nothing was changed.',
  FILE_NOT_WRITTEN: 'Could not write {file}. Nothing was changed.',
  FILE_WRITTEN_LATER: 'Could not write {file}. The change is stored and will be written later.',
  FOLDER_REPLACED:
    'The agent’s folder is no longer the one it was started in. Nothing was changed. Restore the original folder, or restart the agent.',
  FOLDER_REPLACED_MEANWHILE:
    'The agent’s folder is no longer the one it was started in. The change may be lost. Restore the original folder, or restart the agent.',
  INTERNAL: 'Internal error',
  INVALID_EXPIRY_DATE: 'Invalid expiry date format. Expected DD-MM-YYYY format.',
  NO_SESSIONS:
    'This card server does not report who is connected. Set OSCAM_WEBIF_URL or CCCAM_INFO_URL for its agent.',
  SESSIONS_HIDDEN:
    'OSCam hides idle clients in its status. Set httphideidleclients = 0 in oscam.conf to end their sessions.',
  UNFIT_BRACE: '{field} must not contain “{” or “}”',
  UNFIT_CONTROL: '{field} must not contain control characters',
  UNFIT_EMPTY: '{field} must not be empty',
  UNFIT_HASH: '{field} must not contain “#”',
  UNFIT_LENGTH: '{field} must not be longer than 63 bytes',
  UNFIT_SPACE: '{field} must not contain spaces, tabs or line breaks',
  UNFIT_START: '{field} must not start with “;” or “[”',
  UNFIT_UNICODE: '{field} must be valid Unicode',
  USERNAME_EXISTS: 'Username already exists. Please choose a different username.',
  USER_NOT_FOUND: 'User not found',
  WRONG_CREDENTIALS: 'Missing or wrong username or password',
} as const;

export type AgentRefusal = keyof typeof agentRefusals;
export const agentRefusalCodes = Object.keys(agentRefusals) as [AgentRefusal, ...AgentRefusal[]];
