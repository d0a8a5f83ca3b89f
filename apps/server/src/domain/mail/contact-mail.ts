import type { Db } from '../../db/transaction.ts';
import type { MailFacts } from './texts/mail-kinds.ts';

/** The sender of a contact message; undefined if the message was deleted. */
export async function findContactSender(db: Db, id: string) {
  const sender = await db
    .selectFrom('contact_messages')
    .select(['email', 'language'])
    .where('id', '=', id)
    .executeTakeFirst();
  return sender && { ...sender, email_verified: false, wants_notices: true };
}

interface ContactAnswer {
  facts: MailFacts['contact_answer'];
  whenTaken(): Promise<void>;
}

/** null if there is no answer. */
export async function contactAnswerContent(
  db: Db,
  id: string | undefined,
): Promise<ContactAnswer | null> {
  if (id === undefined) return null;
  const contact = await db
    .selectFrom('contact_messages')
    .select(['name', 'subject', 'message', 'answer'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!contact || contact.answer === null) return null;
  const { answer } = contact;
  const whenTaken = async () => {
    await db
      .updateTable('contact_messages')
      .set({ answer_is_mailed: true })
      .where('id', '=', id)
      .execute();
  };
  return { facts: { ...contact, answer }, whenTaken };
}
