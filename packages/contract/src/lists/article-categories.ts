/** What articles of the knowledge base are about, in the order in which they are shown. */
export const articleCategories = [
  'lines',
  'credits',
  'servers',
  'accounts',
  'sign_in',
  'api',
  'panel',
] as const;
export type ArticleCategory = (typeof articleCategories)[number];
