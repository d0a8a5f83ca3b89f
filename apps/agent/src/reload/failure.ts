import { COMMAND, WEBIF } from '../settings.ts';

const { url, user, password, fingerprint } = WEBIF;

type Data = Record<string, string | number | null>;

/** Reasons why the card server has not read its files, each with what to do. */
const SENTENCES = {
  NOT_CONFIGURED: () =>
    `Nothing makes the card server reload its files. Set ${url}, ${user} and ${password}, or ${COMMAND}, for the agent.`,
  WEBIF_UNREACHABLE: ({ reason }) =>
    `OSCam's web interface cannot be reached (${reason}). Check that OSCam runs, and ${url}.`,
  WEBIF_SIGN_IN: () =>
    `OSCam's web interface refuses the username or password. Set ${user} and ${password} to its httpuser and httppwd.`,
  WEBIF_FORBIDDEN: () =>
    "OSCam's web interface does not allow the agent's address. Add it to httpallowed in oscam.conf.",
  WEBIF_READ_ONLY: () =>
    "OSCam's web interface is read-only, so OSCam cannot be asked to reload its file. Set httpreadonly = 0 in oscam.conf.",
  WEBIF_NOT_OSCAM: () => `The program at ${url} is not OSCam's web interface.`,
  WEBIF_CERTIFICATE: ({ fingerprint: found }) =>
    `OSCam's web interface uses a certificate that is not trusted, with the SHA-256 fingerprint ${found}. If it is yours, set ${fingerprint} to this fingerprint.`,
  WEBIF_NAMES_UNKNOWN: ({ count }) =>
    `OSCam has reloaded its file, but ${count} of the agent's accounts are missing or differ. Check that it reads the oscam.user that the agent writes.`,
  COMMAND_FAILED: ({ exit_code, signal }) =>
    `${COMMAND} failed (${signal === null ? `exit code ${exit_code}` : signal}). See the agent's log for its output.`,
  COMMAND_TIMEOUT: ({ seconds }) =>
    `${COMMAND} did not finish within ${seconds} s and was stopped.`,
  COMMAND_NOT_FOUND: () => `The program of ${COMMAND} does not exist or cannot be run.`,
} satisfies Record<string, (data: Data) => string>;

type ReloadCode = keyof typeof SENTENCES;

export class ReloadFailure extends Error {
  readonly code: ReloadCode;
  readonly data: Data;
  constructor(code: ReloadCode, data: Data = {}) {
    const sentence: (data: Data) => string = SENTENCES[code];
    super(sentence(data));
    this.code = code;
    this.data = data;
  }
}
