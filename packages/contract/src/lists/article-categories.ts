/** Categories of articles in the knowledge base, in the order in which they are shown. */
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
