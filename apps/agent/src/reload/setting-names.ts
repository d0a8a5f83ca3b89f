export const SETTING_NAMES = {
  url: 'OSCAM_WEBIF_URL',
  user: 'OSCAM_WEBIF_USER',
  password: 'OSCAM_WEBIF_PASSWORD',
  fingerprint: 'OSCAM_WEBIF_FINGERPRINT',
  command: 'RELOAD_COMMAND',
} as const;
