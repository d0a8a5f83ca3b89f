import { type Language, languages } from '@linekeeper/contract/languages.ts';
import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { preferredLanguage, storeLanguage } from './languages.ts';

type Texts = Record<string, unknown>;

/** Only the active language is fetched: first what every screen needs, in one file … */
const startFiles = import.meta.glob<Record<string, Texts>>('../../locales/*/start.ts');
/** … then what a screen needs beyond that, with the screen. */
const screenFiles = import.meta.glob<Texts>(
  [
    '../../locales/*/*.json',
    '!../../locales/*/auth.json',
    '!../../locales/*/common.json',
    '!../../locales/*/errors.json',
  ],
  { import: 'default' },
);
const startNamespaces = ['common', 'errors', 'auth'];

async function textsOf(language: string, namespace: string): Promise<Texts> {
  const folder = `../../locales/${language}`;
  const texts = startNamespaces.includes(namespace)
    ? (await startFiles[`${folder}/start.ts`]?.())?.[namespace]
    : await screenFiles[`${folder}/${namespace}.json`]?.();
  if (!texts) throw new Error(`There are no texts ${language}/${namespace}`);
  return texts;
}

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => {
    textsOf(language, namespace).then(
      (texts) => done(null, texts),
      (error: Error) => done(error, true),
    );
  },
};

export async function startI18n(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: preferredLanguage(),
      supportedLngs: languages,
      // All languages have the same keys (tested), so a second language is never fetched.
      fallbackLng: false,
      // A copy: what is loaded later is added to it.
      ns: [...startNamespaces],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
    });
}

export async function chooseLanguage(language: Language): Promise<void> {
  storeLanguage(language);
  await i18next.changeLanguage(language);
}

/** For a route's loader: the texts come beside the page's code, not after it. */
export function loadTexts(
  namespace: 'bulk' | 'home' | 'lines' | 'palette' | 'profile' | 'servers' | 'sync',
): Promise<void> {
  return i18next.loadNamespaces(namespace);
}
