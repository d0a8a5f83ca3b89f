/** The reason for which a web interface could not be used. */
export type WebifProblem =
  | 'UNREACHABLE'
  | 'SIGN_IN'
  | 'FORBIDDEN'
  | 'READ_ONLY'
  | 'NOT_OSCAM'
  | 'CERTIFICATE'
  /** Encryption was requested from a port that does not offer it. */
  | 'HTTP_EXPECTED';

export type ProblemData = Record<string, string | number | null>;

/** `data`: the `reason` of UNREACHABLE, the `status` of SIGN_IN and FORBIDDEN, the `fingerprint` of CERTIFICATE. */
export class WebifFailure extends Error {
  readonly code: WebifProblem;
  readonly data: ProblemData;
  constructor(code: WebifProblem, data: ProblemData = {}) {
    super(code);
    this.code = code;
    this.data = data;
  }
}

/** The code of an error, because messages of OpenSSL contain names of its source files. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
