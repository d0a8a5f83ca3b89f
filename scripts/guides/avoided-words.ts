import type { Language } from '@linekeeper/contract/languages.ts';

export interface AvoidedWord {
  phrase: RegExp;
  /** What to write instead, or why not. */
  instead: string;
}

/**
 * Phrases of a translated English, in all that people read: guides, the API's documentation and the
 * panel's own texts. CONTRIBUTING.md has the rules.
 */
export const avoidedInProse: AvoidedWord[] = [
  { phrase: /\bwhoever\b/i, instead: 'anyone who' },
  { phrase: /\banew\b/, instead: 'again' },
  {
    phrase:
      /\b(?:stands|stand) (?:in|at|on|there|beside|below|under|among|between|where|for itself)\b/,
    instead: 'is',
  },
  {
    phrase: /\b(?:lies|lie) (?:in|at|on|there|beside|below|under|among|between|where)\b/,
    instead: 'is',
  },
  { phrase: /(?:^|[.;:] )Where (?:it|the|a|an|they|that|there|one|no)\b/m, instead: 'if' },
  { phrase: /\bthat (?:is|are) none\b/, instead: 'invalid' },
  { phrase: /\bfor nothing\b/, instead: 'free of charge' },
  { phrase: /\b(?:the own|one[’']s own)\b/, instead: 'your own, its own' },
  { phrase: /\b(?:is|are|was|were) told\b/, instead: 'is notified, is informed' },
  { phrase: /\bbesides,/i, instead: 'also' },
  { phrase: /\blikewise\b/i, instead: 'in the same way; or say it' },
  { phrase: /\bby itself\b/, instead: 'on its own, automatically' },
];

/** In guides also entries that left the menu. */
export const avoidedInGuides: AvoidedWord[] = [
  ...avoidedInProse,
  { phrase: /→ (?:Sync|Check all servers)\*/, instead: 'an entry of the menu' },
];

/** In the panel's own texts, in what commands and the agent print, in notices, mails and articles. */
export const avoidedInTexts: Record<Language, AvoidedWord[]> = {
  en: [
    ...avoidedInProse,
    { phrase: /(?<!-)\bmail(?:s|ed|box)?\b/i, instead: 'email' },
    { phrase: /\bwhatever\b/i, instead: 'anything that' },
    { phrase: /\bstands?\b/, instead: 'is' },
    { phrase: /(?<!here )\b(?:is|are) no\b(?! longer)/, instead: 'is not' },
    {
      phrase: /\b(?:takes?|sends?|tells?) no\b/,
      instead: 'does not take, does not send, does not report',
    },
    {
      phrase: /\b(?:no more|any more|by now|meanwhile)\b/,
      instead: 'no longer, already, in the meantime',
    },
    { phrase: /\bof (?:this|that) name\b/, instead: 'with this name' },
    { phrase: /\b(?:is|are|was|were) (?!there\b)\w+ already\b/, instead: 'has already been' },
    { phrase: /(?<!never connected )\bin \d+ (?:days|months)\b/, instead: 'in the last, within' },
    { phrase: /(?:^|[.:] )(?:Left empty|Empty)(?:,|:| for\b)/, instead: 'Leave empty for' },
    { phrase: /\b(?:the bell|go along)\b/, instead: 'notifications; move with it' },
    {
      phrase: /\bwaiting\b(?! for the database)|\bsending\b|\bon (?:its|their) way\b/i,
      instead: 'pending',
    },
    { phrase: /\bgiven back\b/i, instead: 'refunded' },
    { phrase: /\bmend\b/i, instead: 'fix' },
  ],
  de: [
    { phrase: /\bausgelassen\b/i, instead: 'übersprungen' },
    { phrase: /\bAblauf\b/, instead: 'Ablaufdatum' },
    { phrase: /\bVorlieben?\b/, instead: 'Persönliche Einstellungen' },
    { phrase: /\bAnfragekennung\b/, instead: 'Anfrage-ID' },
    { phrase: /\bunterwegs\b/, instead: 'ausstehend' },
    { phrase: /\bdu\b|\bdein/i, instead: 'Sie' },
    { phrase: /^Tests?$/, instead: 'Testlinien' },
    {
      phrase: /(^|[.:!?] )(Sie (wird|werden|wurde|wurden|ist|sind hier)|Er|Es ist hier)\b/,
      instead: 'the noun: a pronoun at the start of a sentence could mean the reader',
    },
  ],
  pl: [
    { phrase: /\bproszę\b|\bnależy\b(?! już)/i, instead: 'the imperative' },
    { phrase: /\btw[oó]j|\btwoj/i, instead: 'the noun alone' },
    { phrase: /\bPana?\b|\bPani\b/, instead: 'the imperative' },
    { phrase: /^Testy?$/, instead: 'Linie testowe' },
  ],
  pt: [
    { phrase: /\bprocurar?\b/i, instead: 'pesquisar' },
    { phrase: /\banfitrião\b/i, instead: 'host' },
    { phrase: /\bdevolvid/i, instead: 'reembolsado' },
    { phrase: /\banula/i, instead: 'desfazer' },
    { phrase: /\bexpiração\b/i, instead: 'validade' },
    { phrase: /\bEmail\b/, instead: 'E-mail' },
    { phrase: /\bTransferir\b/, instead: 'Descarregar' },
    {
      phrase: /\bdeletar|\busuári|\barquivos?\b|\bsenha\b|\btela\b/i,
      instead: 'eliminar, utilizador, ficheiro, palavra-passe, ecrã',
    },
    { phrase: /^Testes?$/, instead: 'Linhas de teste' },
  ],
};
