import { type AgentRefusal, agentRefusals } from '@linekeeper/contract/agent-refusals.ts';

/** An error response with this HTTP status; its message is sent to the client. */
export class Refusal extends Error {
  readonly status: number;
  /** Fields of the response in addition to its message. */
  readonly fields: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    fields: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.headers = headers;
  }
}

/** A refusal that the panel knows by its code, with the contract's sentence for that code. */
export function refusalOf(
  status: number,
  code: AgentRefusal,
  data?: Record<string, string>,
  headers?: Record<string, string>,
): Refusal {
  const sentence = agentRefusals[code].replace(
    /\{(\w+)\}/g,
    (_, name: string) => data?.[name] ?? '',
  );
  const message = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return new Refusal(status, message, { code, ...(data && { data }) }, headers);
}
