import type { Language } from '@linekeeper/contract/languages.ts';

/** A phrase, and what to write instead, or why not. */
export type AvoidedWord = readonly [phrase: RegExp, instead: string];

/**
 * Phrases of a translated English, in all that people read: guides, the API's documentation and the
 * panel's own texts. CONTRIBUTING.md has the rules.
 */
export const avoidedInProse: AvoidedWord[] = [
  [/\bwhoever\b/i, 'anyone who'],
  [/\banew\b/, 'again'],
  [
    /\b(?:stands|stand) (?:in|at|on|there|beside|below|under|among|between|where|for itself)\b/,
    'is',
  ],
  [/\b(?:lies|lie) (?:in|at|on|there|beside|below|under|among|between|where)\b/, 'is'],
  [/(?:^|[.;:] )Where (?:it|the|a|an|they|that|there|one|no)\b/m, 'if'],
  [/\bthat (?:is|are) none\b/, 'invalid'],
  [/\bfor nothing\b/, 'free of charge'],
  [/\b(?:the own|one[’']s own)\b/, 'your own, its own'],
  [/\b(?:is|are|was|were) told\b/, 'is notified, is informed'],
  [/\bbesides,/i, 'also'],
  [/\blikewise\b/i, 'in the same way; or say it'],
  [/\bby itself\b/, 'on its own, automatically'],
];

/** In guides also entries that left the menu. */
export const avoidedInGuides: AvoidedWord[] = [
  ...avoidedInProse,
  [/→ (?:Sync|Check all servers)\*/, 'an entry of the menu'],
];

/** In the panel's own texts, in what commands and the agent print, in notices, mails and articles. */
export const avoidedInTexts: Record<Language, AvoidedWord[]> = {
  en: [
    ...avoidedInProse,
    [/(?<!-)\bmail(?:s|ed|box)?\b/i, 'email'],
    [/\bwhatever\b/i, 'anything that'],
    [/\bstands?\b/, 'is'],
    [/(?<!here )\b(?:is|are) no\b(?! longer)/, 'is not'],
    [/\b(?:takes?|sends?|tells?) no\b/, 'does not take, does not send, does not report'],
    [/\b(?:no more|any more|by now|meanwhile)\b/, 'no longer, already, in the meantime'],
    [/\bof (?:this|that) name\b/, 'with this name'],
    [/\b(?:is|are|was|were) (?!there\b)\w+ already\b/, 'has already been'],
    [/(?<!never connected )\bin \d+ (?:days|months)\b/, 'in the last, within'],
    [/(?:^|[.:] )(?:Left empty|Empty)(?:,|:| for\b)/, 'Leave empty for'],
    [/\b(?:the bell|go along)\b/, 'notifications; move with it'],
    [/\bwaiting\b(?! for the database)|\bsending\b|\bon (?:its|their) way\b/i, 'pending'],
    [/\bgiven back\b/i, 'refunded'],
    [/\bmend\b/i, 'fix'],
  ],
  de: [
    [/\bausgelassen\b/i, 'übersprungen'],
    [/\bAblauf\b/, 'Ablaufdatum'],
    [/\bVorlieben?\b/, 'Persönliche Einstellungen'],
    [/\bAnfragekennung\b/, 'Anfrage-ID'],
    [/\bunterwegs\b/, 'ausstehend'],
    [/\bdu\b|\bdein/i, 'Sie'],
    [/^Tests?$/, 'Testlinien'],
    [
      /(^|[.:!?] )(Sie (wird|werden|wurde|wurden|ist|sind hier)|Er|Es ist hier)\b/,
      'the noun: a pronoun at the start of a sentence could mean the reader',
    ],
  ],
  pl: [
    [/\bproszę\b|\bnależy\b(?! już)/i, 'the imperative'],
    [/\btw[oó]j|\btwoj/i, 'the noun alone'],
    [/\bPana?\b|\bPani\b/, 'the imperative'],
    [/^Testy?$/, 'Linie testowe'],
  ],
  pt: [
    [/\bprocurar?\b/i, 'pesquisar'],
    [/\banfitrião\b/i, 'host'],
    [/\bdevolvid/i, 'reembolsado'],
    [/\banula/i, 'desfazer'],
    [/\bexpiração\b/i, 'validade'],
    [/\bEmail\b/, 'E-mail'],
    [/\bTransferir\b/, 'Descarregar'],
    [
      /\bdeletar|\busuári|\barquivos?\b|\bsenha\b|\btela\b/i,
      'eliminar, utilizador, ficheiro, palavra-passe, ecrã',
    ],
    [/^Testes?$/, 'Linhas de teste'],
  ],
};
