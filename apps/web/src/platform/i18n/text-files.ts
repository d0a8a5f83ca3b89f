type Texts = Record<string, unknown>;

/** The files of texts. Only the active language is fetched: first the namespaces of every screen, as one file. */
const startFiles = import.meta.glob<Record<string, Texts>>('../../locales/*/start.ts');
/** Further namespaces, fetched with the screen that needs them. */
const screenFiles = import.meta.glob<Texts>(
  [
    '../../locales/*/*.json',
    '!../../locales/*/auth.json',
    '!../../locales/*/common.json',
    '!../../locales/*/errors.json',
  ],
  { import: 'default' },
);
export const startNamespaces = ['common', 'errors', 'auth'];

export async function textsOf(language: string, namespace: string): Promise<Texts> {
  const folder = `../../locales/${language}`;
  const texts = startNamespaces.includes(namespace)
    ? (await startFiles[`${folder}/start.ts`]?.())?.[namespace]
    : await screenFiles[`${folder}/${namespace}.json`]?.();
  if (!texts) throw new Error(`There are no texts ${language}/${namespace}`);
  return texts;
}
