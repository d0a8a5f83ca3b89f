import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errors } from '@linekeeper/contract/errors.ts';
import { findings } from '@linekeeper/contract/findings.ts';
import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { systemFindings } from '@linekeeper/contract/system.ts';
import { fileFaults } from '@linekeeper/line-files/faults.ts';
import { expect, test } from 'vitest';
import { fieldTexts, mailTexts } from '../../apps/server/src/http/field-texts.ts';
import { endpoints } from '../../apps/server/src/testing/wire/endpoints.ts';

/** A phrase, and a better wording, or the reason to avoid it. */
type AvoidedWord = readonly [phrase: RegExp, instead: string];

/**
 * Phrases of translated English that people may not find in guides, in the API's documentation and
 * in the panel's own texts. CONTRIBUTING.md has the rules.
 */
const avoidedInProse: AvoidedWord[] = [
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
  [/\b(?:own|seller[’']s|your) book\b/i, 'bookkeeping'],
  [/\bno credits? moves?\b/i, 'it moves no credits'],
  [/\bclosed to new lines\b/i, 'not offered for new lines'],
];

/** Phrases that guides avoid, including entries that the menu no longer has. */
const avoidedInGuides: AvoidedWord[] = [
  ...avoidedInProse,
  [/→ (?:Sync|Check all servers)\*/, 'an entry of the menu'],
  [/\b(?:page|row|card|preview|screen|plan|tab)s?\*? (?:says?|said)\b/i, 'shows, sets'],
  [/\b(?:without|with) a sound\b|\bthe present (?:state|month)\b/, 'valid; current'],
];

/**
 * Phrases by language that are avoided in the panel's own texts, in the output of commands and of
 * the agent, in notices, emails and articles.
 */
const avoidedInTexts: Record<Language, AvoidedWord[]> = {
  en: [
    ...avoidedInProse,
    [/(?<!-)\bmail(?:s|ed|box)?\b/i, 'email'],
    [/\bwhatever\b/i, 'anything that'],
    [/\bstands?\b/, 'is'],
    [/(?<!here )\b(?:is|are) no\b(?! longer)/, 'is not'],
    [/\b(?:takes?|sends?|tells?) no\b/i, 'does not accept, does not send, does not report'],
    [/\b(?:no more|any more|by now|meanwhile)\b/, 'no longer, already, in the meantime'],
    [/\bof (?:this|that) name\b/, 'with this name'],
    [/\b(?:is|are|was|were) (?!there\b)\w+ already\b/, 'has already been'],
    [/(?<!never connected )\bin \d+ (?:days|months)\b/, 'in the last, within'],
    [/(?:^|[.:] )(?:Left empty|Empty)(?:,|:| for\b)/, 'Leave empty for'],
    [/\b(?:the bell|go along)\b/, 'notifications; move with it'],
    [/\bwaiting\b(?! for the database)|\bsending\b|\bon (?:its|their) way\b/i, 'pending'],
    [/\bgiv(?:en|es?) back\b/i, 'refunded, refunds'],
    [/\b(?:Earlier|Later) month\b|\bQuiet (?:from|until)\b/, 'Previous, Next; Quiet hours'],
    [/\bnote a payment\b/i, 'record'],
    [/\bmend\b/i, 'fix'],
    [/\btak(?:e|es|en|ing) (?:changes|the date)\b/i, 'accept'],
    [/\bnot (?:yet )?taken\b(?! from)|\btaken (?:automatically|by the card server)\b/, 'loaded'],
    [/\b(?:tells?|told)\b/i, 'notify; of a program, report or show'],
    [/\bsa(?:ys|id)\b(?!=| so)|\bnot say\b|\bnothing says\b/i, 'report, show'],
    [/\bnot known\b/i, 'unknown'],
    [/\breads? (?:its|their|the) \w+ again\b|\bread(?:s|ing)? again\b/i, 'reload'],
    [/\brows? of (?:its|their|your) own\b|\brows? (?:added )?by hand\b/i, 'a row written by hand'],
    [/\bcertificate of (?:its|your) own\b|\bown certificate\b/i, 'self-signed certificate'],
    [/\b(?:some|every)body\b/i, 'someone, everyone'],
    [/\bruns? out\b/, 'expire'],
    [/\bmake an? (?:new|other)\b|\bmakes another\b/i, 'create'],
    [/(?<!\{)\bours\b/, 'from the panel'],
    [/\bclients? (?:online|connected)\b|\b(?:online|search) clients?\b/i, 'lines'],
    [/\bon from several\b/i, 'online from'],
    [/\bgo(?:es)? on (?:working|with|in)\b|\bgoing on\b/i, 'keep working, continue'],
    [/\bawait(?:s|ed|ing)?\b/i, 'expect'],
    [/\bspeaks? (?:https?|plain)\b/i, 'uses, requires'],
    [/\bmay only be\b|\bwhat answers\b/i, 'is read-only; the program at this address'],
    [/\b(?:does|do|did|has|have) not answer(?:ed)?\b|\banswers at\b/, 'respond'],
    [/\b(?:is|are|First) noted\b/, 'flagged'],
    [/\bproposed\b/, 'suggested'],
    [/\btravel\b/, 'be loaded'],
    [/\bcut short\b|\bnot done\b|\bwhat was begun\b/i, 'interrupted; failed; rolling back'],
    [/\bas it was before\.|\bwhat runs then\b/i, 'all changes were undone; at boot'],
    [/\b(?:was|were) (?:not )?sealed again\b/, 're-encrypted'],
    [/\b(?:at hand|these were two)\b/i, 'given; do not match'],
    [/\bno \w+ and no\b/i, 'neither … nor'],
    [/\bthe person\b(?! who)/, 'the account holder, the reseller'],
    [/\bcalled (?:back )?(?:\{|“|as)|\b(?:is|are) called\b/, 'is named'],
    [/\bagents?\b[^.]*\bcall(?:s|ed)\b/i, 'contacts the panel'],
    [/\b(?:next|longer) terms?\b/, 'duration'],
  ],
  de: [
    [/\bausgelassen\b/i, 'übersprungen'],
    [/\bAblauf\b/, 'Ablaufdatum'],
    [/\bVorlieben?\b/, 'Persönliche Einstellungen'],
    [/\bAnfragekennung\b/, 'Anfrage-ID'],
    [/\bunterwegs\b/i, 'ausstehend'],
    [/\bsag(?:t|en)\b/, 'meldet, zeigt'],
    [/\bvon selbst\b/, 'automatisch'],
    [
      /\bAnrufe?s?\b|\bzurückrufen\b|\brufen Sie zurück\b|\bruft das Panel zurück\b/i,
      'sich melden; erneut verbinden',
    ],
    [/\beigene[sn]? Zertifikate?s?\b/i, 'selbstsigniertes Zertifikat'],
    [/\beigenen? Zeilen\b|\bnoch eine eigene Zeile\b/i, 'von Hand eingetragene Zeile'],
    [/\bLabels?\b/, 'Kennzeichen'],
    [/\bInhaber/, 'Eigentümer'],
    [/\bClients? online\b|\bonline\w* Clients?\b/i, 'Linien online'],
    [/\b(?:von uns|keines von)\b/, 'vom Panel'],
    [/\bspricht https\b/, 'verlangt, verwendet'],
    [/\blässt das Panel nicht ein\b|\beingelassen\b/i, 'zulassen'],
    [/\b(?:gekauft|verkauft) in 30 Tagen\b/, 'in den letzten 30 Tagen'],
    [/\bBescheid\b/, 'informieren'],
    [/\bdu\b|\bdein/i, 'Sie'],
    [/\beigene[sn]? Buch\b/i, 'Buchhaltung'],
    [/einstellungen[^.]*\bübern/i, 'annehmen, speichern: only rows are taken over'],
    [/^Tests?$/, 'Testlinien'],
    [/\bGeheimnis/, 'Signaturschlüssel'],
    [
      /(^|[.:!?] )(Sie (wird|werden|wurde|wurden|ist|sind (?!offline)|enden|laufen|gelten|bleiben)|Er|Es ist hier)\b/,
      'the noun: a pronoun at the start of a sentence could mean the reader',
    ],
  ],
  pl: [
    [/\bproszę\b|\bnależy\b(?! już)/i, 'the imperative'],
    [/\btw[oó]j|\btwoj|\bCieb|\bTob(?:ie|ą)\b/i, 'the noun alone'],
    [/\bwłasn\w+ ksi[ęą]g(?:a|i|ę|ą)?\b/i, 'rozliczenia'],
    [/\bPana?\b|\bPani\b/, 'the imperative'],
    [/^Testy?$/, 'Linie testowe'],
    [/\bw drodze\b/i, 'oczekuje'],
    [/\b(?:działa|oczekuje) na:/i, 'na serwerze, na serwer'],
    [/\bwłasn\w+ wiersz/i, 'ręcznie wpisany wiersz'],
    [/\bwłasn\w+ certyfikat/i, 'certyfikat samopodpisany'],
    [/\bodn(?:owi|awia)/i, 'przedłużyć'],
    [/\bnasz(?:e|a|ych)?\b/i, 'z panelu'],
    [/\bstan z\b/, 'stan na'],
    [/\bklien(?:ci|tów) online\b/i, 'linie online'],
    [/\bwpuszcz|\bwpuszczon/i, 'dopuszczać, dozwolony'],
    [/\bkupiono .*w ciągu 30 dni\b/, 'w ostatnich 30 dniach'],
    [/(?:^|\. )Użycie\b/, 'korzystanie'],
    [/\bwysyłka automatyczna\b/, 'panel wyśle zmianę'],
    [/, status:/, 'Status HTTP:'],
    [/\bcof\S* (?:kredyt|\{\{credits)/i, 'odjąć; cofnąć is to undo'],
  ],
  pt: [
    [/\bprocurar?\b/i, 'pesquisar'],
    [/\banfitrião\b/i, 'host'],
    [/\bdevolvid|\bdevolve o que/i, 'reembolsado'],
    [/\bseu livro\b/i, 'contabilidade'],
    [/\banula/i, 'desfazer'],
    [/\bexpiração\b/i, 'validade'],
    [/\bEmail\b/, 'E-mail'],
    [/\bTransferir\b/, 'Descarregar'],
    [
      /\bdeletar|\busuári|\barquivos?\b|\bsenha\b|\btela\b/i,
      'eliminar, utilizador, ficheiro, palavra-passe, ecrã',
    ],
    [/^Testes?$/, 'Linhas de teste'],
    [/\bvocê\b/i, 'o verbo sem pronome'],
    [/[«»]/, '“ ”'],
    [/^(?:Retirado|Adicionado|Guardado|Eliminado)\b.*:/, 'a whole sentence'],
    [/\bchamou\b|\bchamadas? do agente\b|\bagente chamar\b/, 'contactar o painel'],
    [/\bquem vende\b/i, 'os vendedores'],
    [/\bcifra(?:da|do|r)?\b/i, 'encriptação, encriptado'],
    [/\bretomad[ao]s? automaticamente\b/, 'reativar'],
    [/\bdi(?:z|zem|-lo)\b/, 'indica'],
    [/\bem (?:7|30) dias\b/, 'nos últimos, nos próximos'],
    [/\bregistos? própri/i, 'registo escrito à mão'],
    [/\bcertificados? própri/i, 'certificado autoassinado'],
    [/\bnoss[oa]s?\b/i, 'do painel'],
    [/\bclientes online\b/i, 'linhas online'],
    [/\b[Ll]igaç(?:ão|ões) (?:para definir|funciona uma)/, 'link'],
    [/\bem baixo\b/, 'indisponível'],
    [/\badmit(?:e|ido)\b/i, 'permite, acesso permitido'],
    [/\bnotificad[ao]s?\b/i, 'avisado'],
    [/\bcom envio automático\b/, 'será enviada automaticamente'],
    [/\bNão é possível desfazer\./, 'Esta ação não pode ser desfeita.'],
    [/\bcom o estado:/, 'Estado HTTP:'],
  ],
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

type Texts = [key: string, text: string][];

/** All texts of a text file or of a table of sentences, each with its key. */
function textsOf(value: unknown, key: string): Texts {
  if (typeof value === 'string') return [[key, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => textsOf(part, `${key}.${name}`));
}

const filesOf = (pattern: string) => globSync(pattern, { cwd: root }).toSorted();
const inJson = (pattern: string): Texts =>
  filesOf(pattern).flatMap((file) => textsOf(JSON.parse(read(file)), file));
const whole = (pattern: string): Texts => filesOf(pattern).map((file) => [file, read(file)]);

/** The lines of a script without comments and variables. Continued lines are joined. */
const printedByShell = (file: string): Texts =>
  read(file)
    .replace(/\\\n/g, '')
    .replace(/^\s*#.*$/gm, '')
    .replace(/\$\w+|\\n/g, ' ')
    .split('\n')
    .filter((line) => /\S \S/.test(line))
    .map((line) => [file, line]);

/** Sentences in quotes in programs, of two words or more, except those in comments. */
const printedBy = (pattern: string): Texts =>
  filesOf(pattern)
    .filter((file) => !/\.test\.|testing/.test(file))
    .flatMap((file) => {
      const code = read(file).replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
      return [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)]
        .map(([, one, two, three]) => one ?? two ?? three ?? '')
        .filter(
          (text) =>
            /[A-Za-z]{2,}[:,]? [a-z]+/.test(text) && !/^\s*(?:<|select|delete|insert)/i.test(text),
        )
        .map((text): [string, string] => [file, text]);
    });

const guides: Texts = whole(
  '{*,docs/{*,tutorials/*,how-to/*,reference/*,explanation/*,decisions/*}}.md',
)
  // Rules contain the banned phrases in quotes, and a quoted message of the program must stay as it is.
  .map(([page, text]) => [page, text.replace(/"[^"\n]*"|`[^`\n]*`|^> .*$/gm, '')]);

const ofTheApi: Texts = endpoints.map(({ name, summary, description = '' }) => [
  name,
  `${summary}. ${description}`,
]);

const SERVER = 'apps/server/src';

const places: [place: string, texts: Texts, avoided: AvoidedWord[]][] = [
  ['guides', guides, avoidedInGuides],
  ['the API’s calls', ofTheApi, avoidedInProse],
  ['the API’s fields', textsOf({ fieldTexts, mailTexts }, ''), avoidedInProse],
  [
    'sentences of the contract',
    textsOf({ errors, findings, fileFaults, systemFindings }, ''),
    avoidedInTexts.en,
  ],
  [
    'commands',
    [
      ...printedBy(`${SERVER}/commands/*.ts`),
      ...printedBy(`${SERVER}/{platform/{config,keys},db/{backup,postgres}}/*.ts`),
      ...printedBy(`${SERVER}/domain/{accounts/operator-reset,backups/*}.ts`),
      ...printedBy('packages/{data-folder,settings-file}/src/*.ts'),
      ...printedBy('scripts/{run,prepare}.mjs'),
      ...printedBy('scripts/demo/*.ts'),
    ],
    avoidedInTexts.en,
  ],
  ['the agent', printedBy('apps/agent/src/**/*.ts'), avoidedInTexts.en],
  [
    'installations',
    ['apps/agent/install.sh', 'apps/agent/install-shared.sh', 'scripts/release/install.sh'].flatMap(
      printedByShell,
    ),
    avoidedInTexts.en,
  ],
  ...languages.flatMap((language): typeof places => [
    [
      `pages in ${language}`,
      inJson(`apps/web/src/locales/${language}/*.json`),
      avoidedInTexts[language],
    ],
    [
      `notices, mails and customers’ pages in ${language}`,
      inJson(`${SERVER}/{domain/{notices,mail},features/lines/page}/texts/${language}.json`),
      avoidedInTexts[language],
    ],
    [
      `articles in ${language}`,
      whole(`${SERVER}/features/articles/shipped/${language}/*.md`),
      avoidedInTexts[language],
    ],
  ]),
];

test.each(places)('%s have no word that is avoided', (_place, texts, avoided) => {
  expect(texts.length).toBeGreaterThan(0);
  const found = texts.flatMap(([key, text]) =>
    avoided.flatMap(([phrase, instead]) => {
      const [word] = phrase.exec(text.replace(/\$?\{[^{}]*\}/g, '')) ?? [];
      return word === undefined ? [] : [`${key}: ${word} → ${instead}`];
    }),
  );
  expect(found).toEqual([]);
});

test.each(places)('%s have no word with a part twice', (_place, texts) => {
  const found = texts.flatMap(([key, text]) => {
    const [word] = /\b\p{L}*?(\p{L}{4,})\1\p{L}*\b/iu.exec(text) ?? [];
    return word === undefined ? [] : [`${key}: ${word}`];
  });
  expect(found).toEqual([]);
});

test('summaries of the API are short, and begin with a verb', () => {
  for (const { name, summary } of endpoints) {
    expect(summary.length, name).toBeLessThanOrEqual(72);
    expect(summary, name).toMatch(/^[A-Z][a-z]+,? [^.]*[^.]$/);
  }
});

test('what has two sentences ends like one', () => {
  const all = textsOf({ errors, findings }, '');
  // A sentence may end with a value: "HTTP status: {status}".
  const found = all.filter(([, text]) => /[.!?] [A-Z]/.test(text) && !/[.!?}]$/.test(text));
  expect(found).toEqual([]);
});
