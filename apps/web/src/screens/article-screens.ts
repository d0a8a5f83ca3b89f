import { languages } from '@linekeeper/contract/languages.ts';
import { articleCategories } from '@linekeeper/contract/lists/article-categories.ts';
import * as z from 'zod';
import type { Screen } from './screen.ts';

const search = z.coerce.string().max(100).optional().catch(undefined);
const language = z.enum(languages).optional().catch(undefined);

export const articleScreens = {
  knowledgeBase: {
    path: '/support/knowledge-base',
    access: 'account',
    isPublicBySetting: true,
    title: 'nav.knowledgeBase',
    menuText: 'nav.knowledgeBase',
    placeText: 'nav.knowledgeBase',
    texts: ['articles'],
    search: z.object({
      q: search,
      category: z.enum(articleCategories).optional().catch(undefined),
      /** The language of the articles, if it is not the reader's. */
      language,
    }),
  },
  addArticle: {
    path: '/support/knowledge-base/add',
    access: 'admin',
    title: 'nav.addArticle',
    placeText: 'nav.addArticle',
    texts: ['articles'],
    parent: 'knowledgeBase',
    search: z.object({
      /** The id of the article to translate. */
      of: z.guid().optional().catch(undefined),
      language,
    }),
  },
  editArticle: {
    path: '/support/knowledge-base/edit/$id',
    access: 'admin',
    title: 'articles:edit',
    texts: ['articles'],
    parent: 'knowledgeBase',
  },
  article: {
    path: '/support/knowledge-base/$id',
    access: 'account',
    isPublicBySetting: true,
    title: 'field.article',
    texts: ['articles'],
    parent: 'knowledgeBase',
    /** The search by which the article was found. */
    search: z.object({ q: search }),
  },
} as const satisfies Record<string, Screen>;
