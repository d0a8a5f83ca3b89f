import type { ContactStatus } from '@linekeeper/contract/contact.ts';
import type { Language } from '@linekeeper/contract/languages.ts';
import type { Generated } from 'kysely';
import type { Moment, OptionalMoment } from './column-types.ts';

/** A message sent by the contact form. */
export interface ContactMessagesTable {
  id: string;
  name: string;
  email: string;
  subject: string;
  message: string;
  /** Of the mail with the answer. */
  language: Language;
  /** null for visitors. */
  account_id: string | null;
  status: Generated<ContactStatus>;
  created_at: Moment;
  answer: string | null;
  answered_at: OptionalMoment;
  answered_by: string | null;
  answer_is_mailed: Generated<boolean>;
}
