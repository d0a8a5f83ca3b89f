import { type AgentRefusal, agentRefusals } from '@linekeeper/contract/agent-refusals.ts';

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

/** A refusal that the panel knows by its code, in the contract's sentence for that code. */
export function refusalOf(
  status: number,
  code: AgentRefusal,
  data?: Record<string, string>,
  headers: Record<string, string> = {},
): Refusal {
  const sentence = agentRefusals[code].replace(
    /\{(\w+)\}/g,
    (_, name: string) => data?.[name] ?? '',
  );
  const message = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return new Refusal(status, message, headers, { code, ...(data && { data }) });
}
