import * as contract from '@linekeeper/contract/contact.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { editContact } from './edit-contact.ts';
import { sendContact } from './send-contact.ts';
import { listContact } from './store.ts';

export const contactRoutes = [
  route(contract.sendContact, sendContact, {
    auditsItself:
      'a ticket of an account is an act; strangers could fill the log with what they send',
  }),
  route(contract.listContact, ({ db }, { query }) => listContact(db, query)),
  route(contract.editContact, editContact),
];
