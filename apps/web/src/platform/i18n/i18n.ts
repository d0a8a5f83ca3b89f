import { type Language, languages } from '@linekeeper/contract/languages.ts';
import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { reachPanel } from '#platform/api/reach-panel.ts';
import type { ScreenTexts } from '#screens/screen.ts';
import { countLikeTheLocale } from './count-like-the-locale.ts';
import { isolate } from './isolate.ts';
import { localeOf, preferredLanguage, storeLanguage } from './languages.ts';
import { startNamespaces, textsOf } from './text-files.ts';

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
    document.documentElement.lang = localeOf(language);
  });
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: preferredLanguage(),
      supportedLngs: languages,
      // All languages have the same keys (tested), so no fallback language needs to be fetched.
      fallbackLng: false,
      // The array is copied, because i18next adds namespaces to it.
      ns: [...startNamespaces],
      defaultNS: 'common',
      // A missing key is looked up in `common`, then in the frame's texts, which visitors do not load.
      fallbackNS: ['common', 'frame'],
      // React escapes HTML; isolating keeps a right-to-left name from reordering its sentence.
      interpolation: { escapeValue: true, escape: isolate },
      returnNull: false,
    });
  countLikeTheLocale(i18next);
}

/** Switches the language; keeps the current one if its texts cannot be fetched. */
export async function chooseLanguage(language: Language): Promise<void> {
  await fetchLanguage(language);
  storeLanguage(language);
  await i18next.changeLanguage(language);
}

/** Fetches all shown texts in another language. */
export async function fetchLanguage(language: Language): Promise<void> {
  await reachPanel();
  const namespaces = [i18next.options.ns ?? []].flat();
  await Promise.all(namespaces.map((namespace) => addTexts(language, namespace)));
}

/** Fetches the texts of a namespace in all languages, for a text that is written in each of them. */
export async function fetchInAllLanguages(namespace: ScreenTexts): Promise<void> {
  await reachPanel();
  await Promise.all(languages.map((language) => addTexts(language, namespace)));
}

/** Adds the texts of a namespace. The loader of i18next would retry a failed file immediately and then never again. */
async function addTexts(language: string, namespace: string): Promise<void> {
  if (i18next.hasResourceBundle(language, namespace)) return;
  i18next.addResourceBundle(language, namespace, await textsOf(language, namespace));
}

/** Loads the texts of a page. Called by the loaders of routes, so that texts load in parallel with the page's code. */
export async function loadTexts(namespace: ScreenTexts): Promise<void> {
  if (!i18next.hasResourceBundle(i18next.language, namespace)) await reachPanel();
  await addTexts(i18next.language, namespace);
  // Registers the namespace, so that it is fetched again when the language changes.
  await i18next.loadNamespaces(namespace);
}
