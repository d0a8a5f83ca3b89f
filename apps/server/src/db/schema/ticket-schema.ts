import type { AttachmentType } from '@linekeeper/contract/tickets/attachments.ts';
import type {
  TicketCategory,
  TicketPriority,
  TicketReply,
  TicketStatus,
} from '@linekeeper/contract/tickets/tickets.ts';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Moment, OptionalJson } from './column-types.ts';

interface TicketNumbersTable {
  last_number: number;
  /** Number of the account's tickets; kept by a trigger. */
  tickets: Generated<number>;
}

export interface TicketsTable {
  id: string;
  number: number;
  title: string;
  description: string;
  status: Generated<TicketStatus>;
  priority: Generated<TicketPriority>;
  category: Generated<TicketCategory>;
  user_id: string;
  assigned_to: string | null;
  /** The line that the ticket is about; null if there is none or it was deleted. */
  line_id: string | null;
  created_at: Moment;
  updated_at: Moment;
  /** Position of the newest entry that the owner may see. */
  last_shown: Generated<number>;
  /** Position of the newest entry, including notes. */
  last_position: Generated<number>;
  replies: Generated<number>;
  last_writer_id: string;
  search: GeneratedAlways<string>;
}

/** Replies and changes: the entries that the owner may see. */
interface TicketRepliesTable {
  id: string;
  ticket_id: string;
  position: number;
  kind: 'reply' | 'event';
  user_id: string;
  is_admin: boolean;
  content: string;
  event: OptionalJson<TicketReply['event']>;
  created_at: Moment;
  search: GeneratedAlways<string>;
}

/** Notes in tickets, which only administrators see. */
interface TicketNotesTable {
  id: string;
  ticket_id: string;
  position: number;
  user_id: string;
  content: string;
  created_at: Moment;
  search: GeneratedAlways<string>;
}

interface TicketReadsTable {
  ticket_id: string;
  account_id: string;
  /** Position of the last entry that the account has read. */
  read_to: number;
  /** True if no reply and no note was written since; kept by triggers. */
  is_current: GeneratedAlways<boolean>;
}

interface CannedRepliesTable {
  id: string;
  title: string;
  content: string;
  created_by: string;
  created_at: Moment;
  updated_at: Moment;
  title_key: GeneratedAlways<string>;
}

interface AttachmentsTable {
  id: string;
  account_id: string;
  name: string;
  /** The type of the file; null during the upload. */
  type: AttachmentType | null;
  size: number;
  width: number | null;
  height: number | null;
  is_whole: Generated<boolean>;
  created_at: Moment;
  ticket_id: string | null;
  reply_id: string | null;
  note_id: string | null;
  position: Generated<number>;
}

/** All tables of tickets. */
export interface TicketTables {
  ticket_numbers: TicketNumbersTable;
  tickets: TicketsTable;
  ticket_replies: TicketRepliesTable;
  ticket_notes: TicketNotesTable;
  ticket_reads: TicketReadsTable;
  canned_replies: CannedRepliesTable;
  attachments: AttachmentsTable;
  attachment_chunks: { attachment_id: string; position: number; bytes: Buffer };
}
