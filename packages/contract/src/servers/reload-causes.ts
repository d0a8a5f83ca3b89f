/** Reasons for which a card server does not take what its agent has for it. */
export const reloadCauses = [
  'NOT_CONFIGURED',
  'NOT_READ_YET',
  'WEBIF_UNREACHABLE',
  'WEBIF_SIGN_IN',
  'WEBIF_FORBIDDEN',
  'WEBIF_READ_ONLY',
  'WEBIF_NOT_OSCAM',
  'WEBIF_CERTIFICATE',
  'WEBIF_NAMES_UNKNOWN',
  'COMMAND_FAILED',
  'COMMAND_KILLED',
  'COMMAND_TIMEOUT',
  'COMMAND_NOT_FOUND',
] as const;
export type ReloadCause = (typeof reloadCauses)[number];
