import * as contract from '@linekeeper/contract/credits/book.ts';
import { setEntryState } from '../../domain/lines/payments.ts';
import { type Mutation, route } from '../../domain/use-cases/use-case.ts';
import { bookCsv, readBook } from './read-book.ts';

const editBookEntry: Mutation<typeof contract.editBookEntry, { success: true }> = {
  audit: { notAudited: "a seller's bookkeeping, which nobody else reads" },
  commit: async (tx, { actor }, { params, body }) => {
    await setEntryState(tx, actor, params.id, body.state);
    return { success: true };
  },
  reply: async (_, done) => done,
};

export const bookRoutes = [
  route(contract.readBook, readBook),
  route(contract.bookCsv, bookCsv),
  route(contract.editBookEntry, editBookEntry),
];
