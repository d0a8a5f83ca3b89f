/** An error reply with this HTTP status; its message is sent to the client. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Fields of the reply beside its message. */
  readonly fields: Record<string, unknown>;

  constructor(
    status: number,
    message: string,
    headers: Record<string, string> = {},
    fields: Record<string, unknown> = {},
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.fields = fields;
  }
}
