import { COMMAND, WEBIF } from '../settings.ts';

const { url, user, password, fingerprint } = WEBIF;

type Data = Record<string, string | number | null>;

/** Reasons why the card server has not read its files, each with what to do. */
const SENTENCES = {
  NOT_CONFIGURED: () =>
    `Nothing tells the card server to read its files again. Set ${url}, ${user} and ${password}, or ${COMMAND}, for the agent.`,
  WEBIF_UNREACHABLE: ({ reason }) =>
    `OSCam's web interface cannot be reached (${reason}). Check that OSCam runs, and ${url}.`,
  WEBIF_SIGN_IN: () =>
    `OSCam's web interface refuses the name or the password. Set ${user} and ${password} to its httpuser and httppwd.`,
  WEBIF_FORBIDDEN: () =>
    "OSCam's web interface refuses the agent's address. Add it to httpallowed in oscam.conf.",
  WEBIF_READ_ONLY: () =>
    "OSCam's web interface is read-only, and so it does not read its file again. Set httpreadonly = 0 in oscam.conf.",
  WEBIF_NOT_OSCAM: () => `What answers at ${url} is not OSCam's web interface.`,
  WEBIF_CERTIFICATE: ({ fingerprint: found }) =>
    `OSCam's web interface shows a certificate that is not trusted, with the SHA-256 fingerprint ${found}. If it is OSCam's own, set ${fingerprint} to that.`,
  WEBIF_NAMES_UNKNOWN: ({ count }) =>
    `OSCam has read its file again and does not have ${count} of the agent's accounts as they are. Check that it reads the oscam.user that the agent writes.`,
  COMMAND_FAILED: ({ exit_code, signal }) =>
    `${COMMAND} failed (${signal === null ? `exit code ${exit_code}` : signal}). The agent's log has what it said.`,
  COMMAND_TIMEOUT: ({ seconds }) => `${COMMAND} did not end within ${seconds} s and was stopped.`,
  COMMAND_NOT_FOUND: () => `The program of ${COMMAND} is not there, or may not be run.`,
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
