import { plain, type Word, wordsOf } from './plain.ts';

/** A pattern for any of the words; a word with * may go on. */
function anyOf(words: string): RegExp {
  const patterns = words
    .trim()
    .split(/\s+/)
    .map((word) => word.replace('*', '[\\p{L}\\p{N}]*'));
  return new RegExp(`^(?:${patterns.join('|')})$`, 'u');
}

/**
 * Words that say that a line is off: in cells, in headings and in comments, without accents. English,
 * German, Polish, Portuguese, Spanish, French, Italian, Dutch, Turkish, Czech, Russian.
 */
const OFF = anyOf(`
  off disab* suspen* susp ban bans bann banned banning blocked blacklist* deactiv* inactiv* nonactiv*
  notactiv* unactiv* locked delet* removed removal cancelled canceled cancel* terminated termination ended
  frozen freez* closed stop stopped stopping stoppt paused pause halted revoked kicked barred archived disconnected expelled unused denied
  discontinued unsubscribed trashed
  gesperrt* sperr sperre sperren sperrt sperrung* ausgesperrt* deaktiv* inaktiv* unaktiv* gekundigt*
  kundigt kundigung* geloscht* loschen loschung abgeschalt* ausgeschalt* abgestellt* stillgeleg* geblock* blockiert*
  verbannt* gebannt* abgeklemmt* abgemeldet* pausier* eingefroren* entfernt beendet storniert* ausgeschlossen* entzogen rausgeworfen rausgeflogen archiviert
  zawiesz* zablok* blokada wylaczo* wylaczy* wylaczam wylaczen* nieaktyw* dezaktyw* usuniet* usunac usunieci*
  wstrzym* odlacz* wypowiedz* zamkniet* skasow* odciet* rezygnac* zrezygn* zlikwidow* wycofan* odebran* zamroz* anulow* nieczyn*
  bloquead* bloqueio bloquear bloqueo desativ* desactiv* desabilit* deshabilit* inhabilit* inativ*
  deslig* encerrad* cortad* eliminad* apagad* pausad* congelad* removid* excluid* banid* banead* expuls*
  cancelad* cancelar arquivad* archivad* baja desconectad* borrad* cerrad* anulad* detenid*
  bloque bloquee bloquer suspendu* supprim* inactif* annule* resilie resiliee arrete* eteint* verrouill* desabonn* banni bannie
  disattiv* disabilit* sospes* bloccat* cancellat* eliminat* chiuso chiusa inattiv* annullat* rimoss* interrott* disdett*
  uitgeschak* uitgezet geblok* opgeschort opgezegd inactief verwijderd gestopt gepauzeerd afgesloten bevroren
  geschorst stopgezet beeindigd geannuleerd gedeactiveerd
  kapali kapatil* kapand* pasif iptal engellen* askida askiya durdurul* silindi silinecek silinmis yasakl* donduru*
  vypnut* zablok* pozastav* zrusen* smazan* neaktiv*
  отключ* откл заблок* приостан* удален* выключ* выкл деактив* неактив* заморо*
`);
/** Words for off that count only as the single word of a cell, heading or comment: in a text they may be names. */
const OFF_ALONE = anyOf(`
  aus zu weg tot uit fora block lock hold close stops kick trash archive archiv restrict restricted dead gone void
  quit left parado parada spento coupe ferme baixa ruht ruhend kapat sil cortar apagar
`);
/** Beginnings of the words for off, for headings in which the word goes on. */
const OFF_HEADING =
  /^(?:(?:un|not|non)?(?:block|lock|stop|paus|kick|trash|clos|restrict|archiv|blok|bloq|blocc|usun|revok|freez|frozen|suspen|bann)|denied|switched$|turned$|hidden$|hide$|kundig|wylacz)/u;

const ENDED = anyOf(`
  expired abgelaufen* ausgelaufen* wygasl* wygasniety wygasnieta przetermin* expirad* vencid* caducad*
  scadut* verlopen lapsed doldu dolmus bitti bitmis истек истекла истекло просроч*
`);

/** Words for off that consist of several words. */
const PHRASE =
  /(?<!\p{L})(?:on[\s-]+hold|shut\s*down|fora\s+d[eo]\s+(?:ar|servi[çc]o|uso)|(?:nicht|kein\p{L}*)\s+mehr|no\s+longer|not\s+any\s?more|j[áa]\s+n[ãa]o|ya\s+no|ju[żz]\s+nie|nie\s+ju[żz]|non\s+pi[ùu]|niet\s+meer|(?:devre|kullan[ıi]m)\s+d[ıi][şs][ıi])(?!\p{L})/iu;

/** Negations in front of a word for a state. */
const NOT = anyOf(
  'not no non never dont doesnt isnt cannot nicht nie niemals brak kein keine keinen nao nunca jamais sem sin ne pas niet geen without ohne bez не',
);
/** Words between a negation and the word for a state: "no longer active", "never been banned". */
const BETWEEN = anyOf(
  'longer more in a an yet been be to get currently mehr mais mas plus piu meer juz byl byla zostal zostala foi ser is ist zu',
);
const RUNS = anyOf(
  'activ* aktiv* aktyw* ativ* attiv* actief aktif actif active enabl* dziala wlacz* freigeschalt* zugelassen habilit* ingeschak* access zugang zugriff dostep* acceso acesso acces accesso toegang erisim customer kunde klient* cliente use used usar',
);

const on = new Set(
  'enabled active activated on yes y true t 1 trial online offline aktiv aktiviert ja wahr aktywna aktywny aktywne tak wlaczona wlaczony prawda ativo ativa ativado ativada sim verdadeiro activo activa activado activada habilitado habilitada si actif oui attivo attiva actief evet aktif acik ano да'.split(
    ' ',
  ),
);
const yes = new Set(
  'yes y true t 1 x on ja j wahr tak prawda sim s verdadeiro si oui vrai vero evet ano да'.split(
    ' ',
  ),
);
const no = new Set(
  'no n false f 0 off nein falsch nie falsz nao falso non faux nee hayir ne нет'.split(' '),
);

/** Whether a negation is directly in front of the word at `index`, or behind it in Turkish. */
function isDenied(words: readonly Word[], index: number): boolean {
  if (/^(?:degil|yok)$/.test(words[index + 1]?.word ?? '')) return true;
  for (let at = index; at > 0 && /^[\s'’´`_-]*$/.test(words[at]?.gap ?? ''); at--) {
    const { word = '' } = words[at - 1] ?? {};
    if (NOT.test(word)) return true;
    if (!BETWEEN.test(word)) return false;
  }
  return false;
}

/** The text with contractions written out, and without words that only look like off. */
const withoutContractions = (text: string) =>
  text.replace(/n['’]t(?!\p{L})/giu, ' not').replace(/%\s*off|kick-?off/giu, ' ');

/** The first word that matches the pattern without a negation in front of it; null if there is none. */
function firstWord(words: readonly Word[], isMeant: RegExp): string | null {
  const found = words.find(({ word }, index) => isMeant.test(word) && !isDenied(words, index));
  return found?.shown ?? null;
}

/** The word by which a text says that a line is off, such as "gesperrt" or "not active"; null if there is none. */
export function offWordIn(text: string): string | null {
  const words = wordsOf(withoutContractions(text));
  const [first] = words;
  if (first && words.length === 1 && OFF_ALONE.test(first.word)) return first.shown;
  const last = words.at(-1);
  if (last && /^(?:aus|uit)$/.test(last.word)) return last.shown;
  const denied = words.find(({ word }, index) => RUNS.test(word) && isDenied(words, index));
  if (denied) return denied.shown;
  return PHRASE.exec(text)?.[0] ?? firstWord(words, OFF);
}

/** The word by which a text says that a line has ended; null if there is none. */
export const endedWordIn = (text: string): string | null =>
  firstWord(wordsOf(withoutContractions(text)), ENDED);

/** Whether a cell has no sign that may turn its word around: -1, !active. */
const BARE = /^[\p{L}\p{M}\p{N}]+(?:[ _-][\p{L}\p{M}\p{N}]+)*$/u;
const isBare = (word: string) => BARE.test(word.trim());

/** The state that a word gives a line; null if the word does not say whether the line runs. */
export function stateNamed(word: string): 'on' | 'off' | 'ended' | null {
  const text = plain(word);
  if (answer(word) === false) return 'off';
  // The word "ok" is not in the list, which is searched for in sentences, too: "gesperrt, ok".
  if (on.has(text) || /^(?:ok|okay|okey)$/.test(text)) return isBare(word) ? 'on' : null;
  if (TICK.test(word.trim())) return 'on';
  // "active (was suspended)"
  if (wordsOf(word).some((one, index, words) => on.has(one.word) && !isDenied(words, index))) {
    return null;
  }
  if (offWordIn(word) !== null) return 'off';
  return endedWordIn(word) === null ? null : 'ended';
}

/**
 * Whether a line runs, by a cell below a heading for off; null if that is unclear: "off" and "active" may describe
 * the line, or its being blocked.
 */
export function isRunningBy(denial: string): boolean | null {
  if (/^(?:on|off|aus|uit)$/.test(plain(denial))) return null;
  const answered = answer(denial);
  if (answered === true) return false;
  if (answered === false) return isBare(denial) ? true : null;
  return stateNamed(denial) === 'off' ? false : null;
}

const TICK = /^[✓✔☑✅√🗸]\ufe0f?$/u;
const CROSS = /^[✗✘☒❌✕✖]\ufe0f?$/u;

/** Yes or no in the languages of the field; null for anything else. */
export function answer(word: string): boolean | null {
  const text = plain(word);
  if (yes.has(text) || TICK.test(word.trim())) return true;
  return no.has(text) || CROSS.test(word.trim()) ? false : null;
}

/** Whether a label of this panel is a state. A label of several words is not ("Sky blocked"). */
export const isStateLabel = (label: string) =>
  wordsOf(label).length === 1 && stateNamed(label) !== null;

/** Whether a cell has a database's word for no value. */
export const isNoValue = (cell: string) => /^(?:NULL|\\N)$/.test(cell.trim());

/** Words of a heading that do not change its meaning. */
const FILLERS = anyOf(
  'is ist has been was at am admin account user line client customer member kunde konto benutzer klient cliente utilizador jest czy esta flag',
);
const JOINED = /^(?:is|ist|admin|account|user|line|esta)(?=\p{L}{2})|(?:at|am)$/gu;

function headingWords(heading: string): string[] {
  return wordsOf(heading.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')).map(({ word }) => word);
}

/** The state of a line with a yes below a heading; null if the heading is for neither. */
export function meaningOfYes(heading: string): 'off' | 'ended' | null {
  const words = headingWords(heading);
  const [first = '', ...others] = words.filter((word) => !FILLERS.test(word));
  const isOne = (word: string, isMeant: (word: string) => boolean) =>
    isMeant(word) || isMeant(word.replace(JOINED, ''));
  if (others.length === 0) {
    if (isOne(first, (word) => OFF.test(word) || OFF_ALONE.test(word))) return 'off';
    return !words.includes('at') && isOne(first, (word) => ENDED.test(word)) ? 'ended' : null;
  }
  const [second = '', ...more] = others;
  return NOT.test(first) && RUNS.test(second) && more.length === 0 ? 'off' : null;
}

/** Beginnings of words of a heading that say whether lines are on. */
const ON_HEADING =
  /^(?:flags?$|flaga$|stat$|stts?$|sts?$|enab|activ|aktiv|aktyw|ativ|attiv|habilit|wlacz|allow(?:ed)?$|permit(?:ted)?$|erlaubt$|zugelass|freigesch|dozwol|permitid|stat(?:e|us|o)$|estado$|zustand$|durum|kontostat|kontozustand|situacao$|stan$|running$|visible$|on$)/;
const ACCESS = /^(?:access|zugang|zugriff|dostep|acesso|acceso|acces|accesso|toegang|erisim)$/;
const STATUS = /^(?:stat(?:e|us)|estado|zustand|stan)$/;
/** Words beside "active" and its kin if they name no state: last_activity, active_connections. */
const OTHER_THING =
  /^(?:last|letzte|ostatni|ultim|count|num|max|min|total|con(?:n|s|nections?)?$|connect|sessions?$|streams?$|activit|date$|datum$|data$|at$|am$|ips?$|uas?$|agents?$|outputs?$|countries$|protocols?$|channels?$|caids?$|providers?$|groups?$)/;
const KEY = /^(?:code|key|token)$/;

/** XC_VM's flag of lines that belong to an activation code. */
export const isOfCodes = (heading: string): boolean => plain(heading) === 'isactivecode';

/** The state that an unknown heading seems to be about; null if it is about none. */
export function hintedState(heading: string): 'off' | 'on' | null {
  if (isOfCodes(heading)) return null;
  const words = headingWords(heading).filter((word) => /\p{L}/u.test(word));
  const isOff = (word: string) =>
    [OFF, OFF_ALONE, OFF_HEADING, ENDED].some((pattern) => pattern.test(word)) ||
    OFF.test(word.replace(/^(?:un|not|non)/, ''));
  if (words.some(isOff)) return 'off';
  if (words.some((word) => OTHER_THING.test(word))) return null;
  const isFiller = (word: string) => ACCESS.test(word) || FILLERS.test(word) || word === 'allow';
  if (!words.every((word) => /^flaga?$/.test(word)) && words.every(isFiller)) {
    return words.some((word) => ACCESS.test(word)) ? 'on' : null;
  }
  const isOfKey = words.some((word) => KEY.test(word)) && !words.some((word) => STATUS.test(word));
  return !isOfKey && words.some((word) => ON_HEADING.test(word)) ? 'on' : null;
}

/** Flags of other panels and card servers that switch on something else than the line. */
const OTHER_FLAG =
  /^(?:is)?(?:restreamer|trial|mag|e2|stalker|isplock|adult|bypassua|debug|mapexclude|admin|uniq|au|keepalive|betatunnel|vip)$|max|(?:conn(?:ection)?s?|limit|count|level|hops|rate)$/;
const NUMBER = /^(?:id|group|sleep|number|nr)$/;

/** States as databases cut them: A and D, A and I, A and S, E and D. */
function isInLetters(words: readonly string[]): boolean {
  const letters = words.map((word) => word.toUpperCase());
  const hasBoth = (on: string, off: string) =>
    letters.includes(on) && [...off].some((letter) => letters.includes(letter));
  return (
    letters.every((letter) => /^[ADEILPSX]$/.test(letter)) &&
    (hasBoth('A', 'DIS') || hasBoth('E', 'D'))
  );
}

/**
 * Whether the cells of an unknown column divide lines by yes and no, or by words for off. Which lines a yes means is
 * unknown.
 */
export function hasStateCells(heading: string, cells: readonly string[]): boolean {
  if (OTHER_FLAG.test(plain(heading)) || isOfCodes(heading)) return false;
  const distinct = [...new Set(cells.map((cell) => cell.trim()))];
  const words = distinct.filter((cell) => cell !== '' && !isNoValue(cell));
  const isAnswered = words.every((cell) => answer(cell) !== null);
  // "off" beside "Full" is no answer.
  const isOff = (cell: string) =>
    answer(cell) === null ? stateNamed(cell) === 'off' : !isAnswered && plain(cell) === 'off';
  if (words.some(isOff)) return true;
  if (headingWords(heading).some((word) => NUMBER.test(word))) return false;
  if (isInLetters(words)) return true;
  const sides = words.map((cell) => answer(cell) ?? (stateNamed(cell) === 'on' ? true : null));
  if (sides.includes(null) || !sides.includes(true)) return false;
  return sides.includes(false) || words.length < distinct.length;
}
