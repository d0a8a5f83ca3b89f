import { contactList } from '@linekeeper/contract/lists/lists.ts';
import type { Screen } from './screen.ts';
import { addressOf } from './shared/list/address.ts';

/** The rows of the register about contact and the set-up of the panel. */
export const supportScreens = {
  contact: {
    path: '/contact',
    access: 'public',
    isPassing: true,
    title: 'nav.contactUs',
    texts: ['contact'],
  },
  contactUs: {
    path: '/support/contact-us',
    access: 'account',
    isForOthersThanAdmins: true,
    title: 'nav.contactUs',
    menuText: 'nav.contactUs',
    placeText: 'pages.contactUs',
    texts: ['contact'],
  },
  contactInbox: {
    path: '/support/contact',
    access: 'admin',
    title: 'contact:title',
    menuText: 'nav.contactInbox',
    placeText: 'pages.contactInbox',
    texts: ['contact'],
    search: addressOf(contactList),
  },
  setup: {
    path: '/tickets/setup',
    access: 'admin',
    title: 'nav.setup',
    placeText: 'pages.setup',
    texts: ['system'],
  },
  connectionTest: {
    path: '/supabase-test',
    access: 'admin',
    title: 'nav.connectionTest',
    placeText: 'pages.connectionTest',
    texts: ['system'],
  },
} as const satisfies Record<string, Screen>;
import { languages } from '@linekeeper/contract/languages.ts';
import { articleCategories } from '@linekeeper/contract/lists/article-categories.ts';
import * as z from 'zod';

const search = z.coerce.string().max(100).optional().catch(undefined);
const language = z.enum(languages).optional().catch(undefined);

/** The rows of the register about the knowledge base. */
export const supportScreens = {
  knowledgeBase: {
    path: '/support/knowledge-base',
    access: 'account',
    isForVisitorsBySetting: true,
    title: 'articles:title',
    menuText: 'nav.knowledgeBase',
    placeText: 'pages.knowledgeBase',
    texts: ['articles'],
    search: z.object({
      q: search,
      category: z.enum(articleCategories).optional().catch(undefined),
      /** Another language than the reader's. */
      language,
    }),
  },
  addArticle: {
    path: '/support/knowledge-base/add',
    access: 'admin',
    title: 'articles:add',
    placeText: 'pages.addArticle',
    texts: ['articles'],
    under: 'knowledgeBase',
    search: z.object({
      /** The article to translate. */
      of: z.guid().optional().catch(undefined),
      language,
    }),
  },
  editArticle: {
    path: '/support/knowledge-base/edit/$id',
    access: 'admin',
    title: 'articles:edit',
    texts: ['articles'],
    under: 'knowledgeBase',
  },
  article: {
    path: '/support/knowledge-base/$id',
    access: 'account',
    isForVisitorsBySetting: true,
    title: 'articles:article',
    texts: ['articles'],
    under: 'knowledgeBase',
    /** The search by which the article was found. */
    search: z.object({ q: search }),
  },
} as const satisfies Record<string, Screen>;
