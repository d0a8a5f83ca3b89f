import * as contract from '@linekeeper/contract/contact.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { editContact, listContact } from './inbox.ts';
import { sendContact } from './send-contact.ts';

export const contactRoutes = [
  route(contract.sendContact, sendContact, {
    auditsItself:
      'a ticket of an account is an act; strangers could fill the log with what they send',
  }),
  route(contract.listContact, listContact),
  route(contract.editContact, editContact),
];
