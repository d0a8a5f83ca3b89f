import type { MessageState } from '@linekeeper/contract/messages.ts';
import type { GeneratedAlways } from 'kysely';
import type { Moment, OptionalMoment } from './column-types.ts';

export interface MessagesTable {
  id: string;
  title: string;
  content: string;
  is_global: boolean;
  recipient_id: string | null;
  created_by: string;
  state: MessageState;
  publish_at: Moment;
  expires_at: OptionalMoment;
  created_at: Moment;
  search: GeneratedAlways<string>;
}

export interface MessageTables {
  messages: MessagesTable;
  message_reads: { message_id: string; account_id: string; read_at: Moment };
  /** All that was published up to then is read. */
  message_marks: { account_id: string; read_until: Moment };
  /** Published messages whose mails are not all queued yet. */
  message_mails: { message_id: string; last_account_id: string | null };
}
