import * as contract from '@linekeeper/contract/articles.ts';
import { route } from '../../domain/use-cases/use-case.ts';
import { createArticle, deleteArticle, editArticle, rateArticle } from './save-article.ts';
import { checkMayRead, findArticle, listArticles } from './store.ts';

export const articleRoutes = [
  route(contract.listArticles, listArticles),
  route(contract.getArticle, async (ctx, { params }) => {
    await checkMayRead(ctx);
    return findArticle(ctx, params.id);
  }),
  route(contract.createArticle, createArticle),
  route(contract.editArticle, editArticle),
  route(contract.deleteArticle, deleteArticle),
  route(contract.rateArticle, rateArticle),
];
