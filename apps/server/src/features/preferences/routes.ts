import * as texts from '@linekeeper/contract/accounts/seller-texts.ts';
import * as contract from '@linekeeper/contract/lists/preferences.ts';
import { type Mutation, route } from '../../domain/use-cases/use-case.ts';
import { editSellerTexts, readSellerTexts } from './seller-texts.ts';
import { mergePreferences, readPreferences } from './store.ts';

const editPreferences: Mutation<typeof contract.editPreferences, null> = {
  audit: { notAudited: 'how somebody likes their own lists' },
  commit: async (tx, ctx, { body }) => {
    await mergePreferences(tx, ctx.actor.id, body);
    return null;
  },
  reply: (ctx) => readPreferences(ctx.db, ctx.actor.id),
};

export const preferenceRoutes = [
  route(contract.getPreferences, (ctx) => readPreferences(ctx.db, ctx.actor.id)),
  route(contract.editPreferences, editPreferences),
  route(texts.getSellerTexts, (ctx) => readSellerTexts(ctx.db, ctx.actor.id)),
  route(texts.editSellerTexts, editSellerTexts),
];
