import { type Day, parseDay } from '../dates.ts';
import { orFault, UnreadableRow } from './faults.ts';
import { endedWordIn, offWordIn } from './states.ts';
import { COUNTED, isOfHours, MONTHS, TERM, timeInWords } from './time-words.ts';

/** Words before the last day, in the languages of the field. */
const END_WORDS =
  "exp|expir\\p{L}*|expd\\p{L}*|until|till?|thru|through|valid(?!at)\\p{L}*|end|ends|ending|bis|ablauf\\p{L}*|endet|gültig\\p{L}*|do|ważn\\p{L}*|wazn\\p{L}*|wygasa|koniec|até|ate|válid\\p{L}*|fim|hasta|fin|scad\\p{L}*|fino|jusqu\\p{L}*(?:['’]au)?|platí|plati|platnost|tot|läuft\\s+(?:aus|ab)|laeuft\\s+(?:aus|ab)|verfällt|gilt|kończ(?:y|ą)?(?:\\s+się)?|konczy(?:\\s+sie)?|vence\\p{L}*|venc|vencim\\p{L}*|caduca|termina|terminará|acaba|valable|termine|verloopt|eindigt|einde|geldig\\p{L}*|končí|bitiş\\p{L}*|bitis\\p{L}*|geçerli\\p{L}*|gecerli\\p{L}*|до|истекает|окончан\\p{L}*";
const END = new RegExp(`(?<!\\p{L})(?:${END_WORDS})$`, 'iu');
const AN_END = new RegExp(`(?<!\\p{L})(?:${END_WORDS})(?!\\p{L})`, 'giu');
/** Words for the end that are common words or names, too: "do João", "Till Schmidt". */
const OFTEN_OTHER =
  /^(?:till?|thru|through|end|ends|ending|do|koniec|ate|fim|fin|fino|plati|platí|tot|gilt|kończ|einde|до)$/iu;
/** A time behind an ambiguous word for the end, which then means the end. */
const OF_TIME =
  /^(?:(?:of|the|ao|do|a)\s+)*(?:\d|(?:next|soon|bald|wkrótce|breve|pronto|end|ende|końca|konca|fim|final|xmas|christmas|weihnacht\p{L}*|świ[ąę]t\p{L}*|swiat|natal|easter|ostern|wielkanoc\p{L}*|páscoa|summer|sommer\p{L}*|winter|spring|autumn|week\p{L}*|woche\p{L}*|tygod\p{L}*|semana|month\p{L}*|monat\p{L}*|miesi\p{L}*|mês|quarter|quartal\p{L}*|kwarta\p{L}*|year\p{L}*|jahr\p{L}*|rok\p{L}*|ano|further|wiosn\p{L}*|lata|jesieni|zim[ayę]|verano|verão|inverno|invierno|outono|otoño|primavera|été|estate|odwołania|odwolania)(?!\p{L}))/iu;
/** "Never" beside a word for the end: "exp: never", "does not expire". */
const NO_END =
  '(?:never|unlimited|infinite|endless|none|not?|n/a|lifetime|forever|permanent|without|nie|niemals|nicht|unbegrenzt|unbefristet|ohne|kein\\p{L}*|endlos|ewig|lebenslang|dauerhaft|nigdy|bez|bezterminow\\p{L}*|nieograniczon\\p{L}*|brak|dożywot\\p{L}*|nunca|não|nao|sem|ilimitad\\p{L}*|nenhum\\p{L}*|sempre|vitalíci\\p{L}*|indefinid\\p{L}*)';
const NO_END_BEHIND = new RegExp(
  `^(?:(?:date|datum|data|is|ist)(?!\\p{L})[\\s:=]*)?(?:${NO_END}(?!\\p{L})|∞)`,
  'iu',
);
const NO_END_BEFORE = new RegExp(`(?:(?<!\\p{L})${NO_END}|n['’]t)$`, 'iu');
/** Words of another day: of a payment, or of something that was done. */
const EVENT =
  '(?:(?:un|pre)?paid|payed|pays|payment\\p{L}*|start\\p{L}*|activat\\p{L}*|aktiviert|aktywowan\\p{L}*|ativad\\p{L}*|regist\\p{L}*|joined|signed|ordered|bought|sold|invoice\\p{L}*|called|seen|login|changed|moved|updated|begin\\p{L}*|began|added|created|renew(?:ed|al|als)?|extended|(?:voraus)?bezahlt|unbezahlt|zahlt|gezahlt|zahlung\\p{L}*|rechnung\\p{L}*|gekauft|verkauft|bestellt|angemeldet|angelegt|beginn|verlängert|geändert|(?:nie)?zapłac\\p{L}*|(?:nie)?opłac\\p{L}*|(?:nie)?zaplac\\p{L}*|(?:nie)?oplac\\p{L}*|dodan\\p{L}*|założon\\p{L}*|zmienion\\p{L}*|przedłuż\\p{L}*|pago|paga|pagou|pagado|pagat[oa]|pagamento|payée?s?|betaald|placen\\p{L}*|pagó|ödendi|ödeme\\p{L}*|odendi|criad[oa]|renovad[oa]|início|inicio)';
const AN_EVENT = new RegExp(`(?<!\\p{L})${EVENT}(?!\\p{L})`, 'iu');
const EVENT_FIRST = new RegExp(`^${EVENT}(?!\\p{L})`, 'iu');
/** Words before a day on which something begins, began or was done. */
const BEGINNING = new RegExp(
  `(?<!\\p{L})(?:${EVENT}|since|from|new|old|was|on|seit|von|vom|ab|am|neu|alt|war|aus|ur|od|stary|desde|de|em|dal|depuis)$`,
  'iu',
);
/** Words that turn any day behind them into another day: of a birth, of a journey. */
const OTHER_DAY =
  /(?<!\p{L})(?:holidays?|vacation|urlaub|wakacje|férias|ferias|born|birth\p{L}*|bday|b-day|dob|geb|geboren\p{L}*|geburt\p{L}*|urodz\p{L}*|nascid\p{L}*|nasc|nascimento|nacid\p{L}*|nacimiento|nato|nata|née)(?!\p{L})/iu;
/** Whether the text names another day, or the day of a ban. */
const isOfOtherDay = (text: string) => OTHER_DAY.test(text) || offWordIn(text) !== null;
/** Words behind the last day that say that the line is off, whatever the day is. */
const saysOff = (text: string) => offWordIn(text) !== null || endedWordIn(text) !== null;
/** Words that make an end an earlier one, or none at all: "was until", "old exp", "not valid until". */
const NO_LONGER =
  /^(?:was|were|old|former(?:ly)?|previous(?:ly)?|orig(?:inal)?(?:ly)?|prev|not|no|war|alt|alte[rs]?|früher|vorher|ehemals|nicht|był[aoy]?|byl[aoy]?|star[yae]|stare|dawniej|poprzednio|nie|era|foi|antig[oa]|anterior|não|nao|aus)$/iu;
/** Words behind a day by which another one has taken its place: "exp 01-02-2026, renewed". */
const RENEWED =
  /(?<!\p{L})(?:re-?new\p{L}*|extend\p{L}*|prolong\p{L}*|verläng\p{L}*|verlaeng\p{L}*|erneuert|przedłuż\p{L}*|przedluz\p{L}*|odnow\p{L}*|renov\p{L}*|prorrog\p{L}*|again|next|now|wieder|jetzt|erneut|znowu|teraz|novamente|agora|plus)(?!\p{L})/iu;
/** Words that point from a day in front of them to a later one: "01-01-2027 until further notice". */
const POINTS_ON =
  /^(?:until|till?|to|thru|through|bis|do|até|ate|hasta|tot|fino|since|from|seit|od|desde)(?!\p{L})/iu;
/** "until 31-12-2027 or 31-01-2028" */
const OR_ANOTHER = /^[\s()]*(?:or|oder|lub|albo|ou|[-/&])\s*\d/iu;
/** The first plausible year of an end; an earlier year is a birthday's. */
const FIRST_YEAR = '2000-01-01';

/** Text between a word for the end and its day: "until the", "exp. date:", "gültig bis zum". */
const BETWEEN =
  /(?:[\s:=.,>(["'~@*|/-]|(?<!\p{L})(?:date|datum|day|the|to|on|of|am|zum|dem|dnia|dia|o|is|ende|mitte|anfang|końca|konca|mid)(?!\p{L}))+$/iu;

const notInNumber = '(?<!\\d|\\d[-./])';
const endOfNumber = '(?!\\d|[-./]\\d)';
const ROMAN = '(?:VI{1,3}|I{1,3}|IV|IX|XI{0,2}|V)';
const anySign = '[^\\p{L}\\d]{1,3}';
const mark = '\\s*[-./,_\\\\]\\s*';

/** A whole day as it can be read: d-m-yyyy or yyyy-m-d, with one sign throughout. */
const WHOLE = new RegExp(
  `${notInNumber}(?:(?<year>\\d{4})(?<s1>[-/.])(?<m1>\\d{1,2})\\k<s1>(?<d1>\\d{1,2})|(?<d2>\\d{1,2})(?<s2>[-/.])(?<m2>\\d{1,2})\\k<s2>(?<year2>\\d{4}))${endOfNumber}`,
  'gu',
);

/** Texts that people mean as a day and that are ambiguous. */
const doubtful = [
  // 13-05-27, 13. 05. 2027, 13 05 2027, 2027_05_13
  `${notInNumber}(?:0?[1-9]|[12]\\d|3[01])(?:${mark}|\\s+)(?:0?[1-9]|1[0-2])(?:${mark}|\\s+)(?:(?:19|20)\\d\\d|[1-6]\\d)${endOfNumber}(?!\\s+\\d)`,
  `${notInNumber}(?:0?[1-9]|1[0-2])/(?:[12]\\d|3[01])/(?:(?:19|20)\\d\\d|[1-6]\\d)${endOfNumber}`,
  `${notInNumber}20\\d\\d(?:${mark}|\\s+)(?:0?[1-9]|1[0-2])(?:${mark}|\\s+)(?:0?[1-9]|[12]\\d|3[01])${endOfNumber}`,
  // 12/2026, 2026-12
  `${notInNumber}(?:0?[1-9]|1[0-2])${mark}20\\d\\d${endOfNumber}`,
  `${notInNumber}20\\d\\d${mark}(?:0?[1-9]|1[0-2])${endOfNumber}`,
  // 13 May 2027, 31. Dez., May 27, 13may27
  `(?<!\\d)\\d{1,4}(?:st|nd|rd|th|º)?[-./,'\\s]*(?:(?:de|of)\\s+)?(?:${MONTHS})(?!\\p{L})(?:[-./,'\\s]*(?:de\\s+)?\\d{2,4}(?!\\d))?`,
  `(?<!\\p{L})(?:${MONTHS})(?!\\p{L})[-./,'\\s]*\\d{1,4}(?:st|nd|rd|th)?(?!\\d)(?!${COUNTED})(?:[-./,'\\s]*\\d{4}(?!\\d))?`,
  // Nothing else in the comment: 2027, 31.12., December, 311227
  `^\\W*(?:20\\d\\d|\\d{1,2}[-./]\\d{1,2}[-./]?|(?:0[1-9]|[12]\\d|3[01])(?:0[1-9]|1[0-2])[1-6]\\d)\\W*$`,
  `^[^\\p{L}\\d]*(?:${MONTHS})[^\\p{L}\\d]*$`,
  // 20271231, 31122027
  `(?<![\\p{L}\\d])(?:20\\d\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])|(?:0[1-9]|[12]\\d|3[01])(?:0[1-9]|1[0-2])20\\d\\d)(?![\\p{L}\\d])`,
  // Q4 2027, 2027-H1, KW 52 2027
  `(?<!\\p{L})(?:[QH][1-4]|(?:kw|cw|week|woche|quarter|quartal|trimestre)\\s*\\d{1,2})[-./,'\\s]*(?:20)?[1-6]\\d(?!\\d)`,
  `(?<!\\d)[1-4](?:[QH]|\\.?\\s*(?:quarter|quartal|kwartał|trimestre))[-./,'\\s]*(?:20)?[1-6]\\d(?!\\d)`,
  `(?<!\\d)20\\d\\d[-./,'\\s]*[QH][1-4](?![\\p{L}\\d])`,
  // 31-XII-2027, 31.xii.27
  `${notInNumber}\\d{1,2}${mark}${ROMAN}${mark}(?:20)?[1-6]\\d(?!\\d)`,
  `(?<![\\p{L}\\d])${ROMAN}${mark}20\\d\\d(?!\\d)`,
  // Christmas 2027
  `(?<!\\p{L})(?:xmas|christmas|weihnacht\\p{L}*|święta|natal|easter|ostern|wielkanoc\\p{L}*|páscoa|summer|sommer|lat[oa]|verão|winter|zim[ay]|inverno|spring|frühjahr|frühling|wiosn[ay]|primavera|autumn|fall|herbst|jesień|jesieni|outono|neujahr|silvester|sylwester|new year|year|jahr|rok|roku|ano)[-./,'\\s]*20[1-6]\\d(?!\\d)`,
  `(?<!\\p{L})W\\s*\\d{1,2}[-./,'\\s]*20[1-6]\\d(?!\\d)`,
  // Anna 13.5., unless another day follows at once
  `${notInNumber}(?:0?[1-9]|[12]\\d|3[01])\\.\\s?(?:0?[1-9]|1[0-2])\\.(?![\\d.]|\\s*[-/]\\s*\\d)`,
  // 31-12-202, 31-12-20277, 31-12-'27
  `${notInNumber}(?:0?[1-9]|[12]\\d|3[01])([-./])(?:0?[1-9]|1[0-2])\\1(?:20\\d|20\\d{3}|'\\d\\d)${endOfNumber}`,
  // 20271231235959, and moments by which databases count, with nothing else in the comment
  `(?<![\\p{L}\\d])20\\d\\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?:[01]\\d|2[0-3])(?:[0-5]\\d){1,2}(?![\\p{L}\\d])`,
  `^[^\\p{L}\\d]*1[0-9]{9}(?:\\d{3})?[^\\p{L}\\d]*$`,
  // 01-01-2026-31-12-2027
  `(?<!\\d)\\d{1,4}([-./])\\d{1,2}\\1\\d{1,4}\\s*[-./]\\s*\\d{1,4}\\1\\d{1,2}\\1\\d{1,4}(?!\\d)`,
  // 31:12:2027, 31--12--2027, box1-31-12-2027, 31-12-2027/12
  `(?<!\\d|\\d\\.)(?:0?[1-9]|[12]\\d|3[01])${anySign}(?:0?[1-9]|1[0-2])${anySign}(?:19|20)\\d\\d(?!\\d)`,
  `(?<!\\d|\\d\\.)(?:0?[1-9]|1[0-2])${anySign}(?:0?[1-9]|[12]\\d|3[01])${anySign}(?:19|20)\\d\\d(?!\\d)`,
  `(?<!\\d|\\d\\.)20\\d\\d${anySign}(?:0?[1-9]|1[0-2])${anySign}(?:0?[1-9]|[12]\\d|3[01])(?!\\d)`,
].map((pattern) => new RegExp(pattern, 'giu'));
/** 31 XII 2027: in capitals only, because of "2 x 2027". */
const romanCapitals = new RegExp(
  `(?<!\\d)(?:\\d{1,2}\\s*)?(?<!\\p{L})${ROMAN}\\s*20\\d\\d(?!\\d)`,
  'gu',
);
/** 31-12-2O27, 3l-12-2027: letters that are typed for digits. */
const TYPED =
  /(?<![\p{L}\d])[\dOoIl|]{1,4}(?:\s*[-./]\s*|\s+)[\dOoIl|]{1,4}(?:\s*[-./]\s*|\s+)[\dOoIl|]{1,4}(?![\p{L}\d])/gu;

/** Texts that mean a day only behind a word such as "until": 31.12., 24/7, 05/27, 2027, 311227, June, Monday. */
const afterEnd = [
  `\\d{1,2}\\s*[-./]\\s*\\d{1,2}(?!\\d)`,
  `\\d{4,}`,
  `(?:${MONTHS})(?!\\p{L})`,
  `(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|next|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|morgen|heute|nächst\\p{L}*|monatsende|jahresende|jutro|jutra|dziś|poniedział\\p{L}*|wtor\\p{L}*|środ\\p{L}*|czwart\\p{L}*|piąt\\p{L}*|sobot\\p{L}*|niedziel\\p{L}*|następn\\p{L}*|roku|miesiąca|amanhã|hoje|(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?|sábado|domingo|próxim\\p{L}*)(?!\\p{L})`,
].map((pattern) => new RegExp(`^(?:${pattern})`, 'iu'));
/** Names of people or receivers, if capitalised like that, that are months, too. */
const OTHER_NAME =
  /^(?:Jan|Marco|Julio|Maja|Mart|Nisan|Ekim|Eylül|Kasım|Marzec|Kwiecień|Lipiec|Grudzień|Styczeń|Listopad|mag ?\d{3}|MAG ?\d{3})$/u;
const VERSION = /(?<!\p{L})(?:v|ver|version|cccam|oscam|mgcamd|rev)\W*$/iu;

interface Candidate {
  from: number;
  to: number;
  text: string;
  /** Null if the day cannot be read. */
  day: Day | null;
  isSlashed: boolean;
}

/** Streets with a day as their name: "ul. 3 Maja 12", "Straße des 17. Juni". */
const STREET = new RegExp(
  `(?<!\\p{L})(?:ul|ulica|al|aleja|pl|plac|rua|av|avenida|pra[çc]a|calle|plaza|via|rue|place|str|\\p{L}*stra[ßs]se|platz|cad|caddesi|sok|sokak)[\\s.]+(?:(?:des|de|do|del|du)\\s+)?\\d{1,2}[\\s.º]*(?:de\\s+)?(?:${MONTHS})(?!\\p{L})(?:,?\\s*\\d{1,3}(?![\\d./-]))?`,
  'giu',
);

/** The text with plain dashes, digits and blanks instead of an editor's substitutes. */
function plainSigns(text: string): string {
  return text
    .replace(STREET, (street) => street.replace(/[^ ]/g, '*'))
    .replace(/[\p{Cf}]/gu, (sign) => (sign === '\u00ad' ? '-' : ''))
    .replace(/[\uff0d-\uff1a]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replace(/[\u2010-\u2015\u2212\ufe58\ufe63]/g, '-')
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ');
}

/** Characters around a day that are read as belonging to it; comments may be as long as a file. */
const NEAR = 100;
const nearBefore = (text: string, at: number) => text.slice(Math.max(0, at - NEAR), at);
const wordBefore = (text: string) => text.replace(BETWEEN, '');
const isCalledEnd = (text: string) => END.test(wordBefore(text));
/** "suspended until" */
function isOfOtherEnd(text: string): boolean {
  const rest = wordBefore(wordBefore(text).replace(END, ''));
  const [word = ''] = /[\p{L}-]+$/u.exec(rest) ?? [];
  // "do not delete"
  const [few = ''] = /(?:[\p{L}'’-]+\s+){0,2}[\p{L}-]+$/u.exec(rest) ?? [];
  return NO_LONGER.test(word) || (isOfOtherDay(word) && isOfOtherDay(few));
}
const isCalledBeginning = (text: string) => BEGINNING.test(wordBefore(text));

/** True if a day that nothing calls the end may be another one, by the words around it. */
function isOfOther(before: string, after: string): boolean {
  const clause = `${before.split(/[,;|]/).at(-1)} ${after.split(/[,;|]/, 1)[0]}`;
  const behind = after.replace(/^[^\p{L}\d]+/u, '');
  return (
    isOfOtherDay(before) ||
    isOfOtherDay(after) ||
    saysOff(after) ||
    AN_EVENT.test(clause) ||
    EVENT_FIRST.test(behind) ||
    isCalledBeginning(before) ||
    POINTS_ON.test(behind) ||
    TERM.test(before) ||
    TERM.test(after) ||
    isOfHours(`${before} ${after}`)
  );
}

/** "until 31-12-2027, suspended", "until 31-12-2027 (12 months)" */
function isTurnedAround(after: string, isPast: boolean): boolean {
  const others = [OR_ANOTHER, TERM, ...(isPast ? [RENEWED] : [])];
  const behind = /^\s*\p{L}[\p{L}-]*/u.exec(after)?.[0] ?? '';
  const isOther = isOfOtherDay(behind.trim()) || saysOff(after);
  return isOther || others.some((pattern) => pattern.test(after));
}

/** The text beside a day without its time, its "r." and words for the end. */
const BESIDE_DAY = /^[T\s]*\d{1,2}:\d\d(?::\d\d)?|^\s*r(?:ok\p{L}*)?(?!\p{L})/iu;

/** Whether letters or numbers are beside a past day: its meaning is unknown, and nothing calls it the end. */
function hasWords(text: string, days: readonly Candidate[]): boolean {
  let rest = '';
  let at = 0;
  for (const { from, to } of days.toSorted((one, other) => one.from - other.from)) {
    rest += text.slice(at, from);
    at = to;
  }
  rest += text.slice(at).replace(BESIDE_DAY, '');
  return /[\p{L}\d]/u.test(rest.replace(AN_END, ''));
}

const pad = (text = '') => text.padStart(2, '0');

function wholeDays(text: string): Candidate[] {
  return [...text.matchAll(WHOLE)].map((match) => {
    const { year, m1, d1, year2, m2, d2, s2 } = match.groups ?? {};
    const day = parseDay(`${year ?? year2}-${pad(m1 ?? m2)}-${pad(d1 ?? d2)}`);
    const swapped = s2 === '/' ? parseDay(`${year2}-${pad(d2)}-${pad(m2)}`) : null;
    const isSlashed = day !== null && swapped !== null && day !== swapped;
    const from = match.index;
    return {
      from,
      to: from + match[0].length,
      text: match[0],
      day: day ?? swapped,
      isSlashed,
    };
  });
}

/** Telephone numbers have groups that are no day and no month, and are left out so. */
function isPlausible({ text, day }: Candidate): boolean {
  const [first = 0, second = 0, third = 0] = text.split(/\D/).map(Number);
  const year = Math.max(first, third);
  return day !== null || (((year >= 1900 && year < 2200) || year === 9999) && second <= 31);
}

function doubtfulDays(text: string, known: readonly Candidate[]): Candidate[] {
  const found: Candidate[] = [];
  /** Letters that belong to a day already. */
  const covered = new Uint8Array(text.length);
  for (const { from, to } of known) covered.fill(1, from, to);
  const add = (from: number, shown: string) => {
    const to = from + shown.length;
    if (covered.subarray(from, to).includes(1)) return;
    covered.fill(1, from, to);
    found.push({ from, to, text: shown.trim(), day: null, isSlashed: false });
  };
  for (const match of text.matchAll(TYPED)) {
    const [typed] = match;
    const digits = typed.replace(/o/gi, '0').replace(/[Il|]/g, '1');
    const isDay = /\d/.test(typed) && wholeDays(digits).some(isPlausible);
    if (digits !== typed && isDay) add(match.index, typed);
  }
  for (const pattern of [...doubtful, romanCapitals]) {
    for (const match of text.matchAll(pattern)) {
      const isOther =
        OTHER_NAME.test(match[0].trim()) || VERSION.test(nearBefore(text, match.index));
      if (!isOther) add(match.index, match[0]);
    }
  }
  if (text.search(AN_END) < 0) return found;
  for (const word of text.matchAll(/(?<![\p{L}\d])[\p{L}\d]/gu)) {
    if (!isCalledEnd(nearBefore(text, word.index))) continue;
    const rest = text.slice(word.index, word.index + NEAR);
    const shown = afterEnd.map((pattern) => pattern.exec(rest)?.[0]).find(Boolean);
    if (shown) add(word.index, shown);
  }
  return found;
}

const SHOWN_BEHIND_END = 24;

/** The first end in words only, such as "until end of year"; null if each end has a day or a word for "never". */
function endInWords(text: string, days: readonly Candidate[]): string | null {
  for (const { 0: word, index } of text.matchAll(AN_END)) {
    const at = index + word.length;
    const rest = text.slice(at, at + NEAR).replace(/^[\s:=.,>(["'~@*|/-]+/u, '');
    const isDayBehind = days.some(
      ({ from }) => from >= at && wordBefore(text.slice(at, from)) === '',
    );
    const isDayBefore = days.some(
      ({ to }) => to <= index && wordBefore(text.slice(to, index)) === '' && !/^\p{L}/u.test(rest),
    );
    const before = wordBefore(nearBefore(text, index));
    const isNone = NO_END_BEHIND.test(rest) || NO_END_BEFORE.test(before);
    const isOther = OFTEN_OTHER.test(word) && !OF_TIME.test(rest);
    const isOfNextEnd = new RegExp(`^(?:${END_WORDS})(?!\\p{L})`, 'iu').test(rest);
    if (isDayBehind || isDayBefore || isNone || isOther || isOfNextEnd) continue;
    const [shown = ''] = /^[^,;|]*/.exec(text.slice(index, at + SHOWN_BEHIND_END)) ?? [];
    return shown.trim();
  }
  return null;
}

interface Days {
  text: string;
  /** Days that can be read. */
  whole: Candidate[];
  all: Candidate[];
}

function daysIn(content: string): Days {
  const text = plainSigns(content);
  const whole = wholeDays(text).filter(isPlausible);
  return { text, whole, all: [...whole, ...doubtfulDays(text, whole)] };
}

/**
 * The last day that a comment names; null if it names none. An ambiguous day, or one that may not be the last day,
 * throws an UnreadableRow: guessed, it would give months away. No list of words is complete, so a past day that
 * nothing calls the end counts only if it is alone.
 */
export function dayInComment(comment: string, today: Day): Day | null {
  return dayAmong(daysIn(comment), today);
}

function dayAmong({ text, whole, all }: Days, today: Day): Day | null {
  const ends = all.filter(({ from }) => isCalledEnd(nearBefore(text, from)));
  const inWords = ends.length === 0 ? endInWords(text, all) : null;
  const [meant, ...others] = ends.length > 0 ? ends : all;
  if (!meant) {
    const vague = inWords ?? timeInWords(text, Number(today.slice(0, 4)), AN_EVENT);
    if (vague === null) return null;
    throw new UnreadableRow('expiry_date', 'DAY_UNREADABLE', { text: vague });
  }
  const { day } = meant;
  const isLater = (other: Candidate) => day !== null && (other.day === null || other.day > day);
  if (others.some((other) => other.day === null || other.day !== day) || all.some(isLater)) {
    throw new UnreadableRow('expiry_date', 'DAYS_SEVERAL');
  }
  const named = { text: meant.text };
  if (meant.isSlashed) throw new UnreadableRow('expiry_date', 'DAY_AMBIGUOUS', named);
  if (day === null) {
    const isWhole = whole.includes(meant);
    throw new UnreadableRow(
      'expiry_date',
      isWhole ? 'DAY_NOT_IN_CALENDAR' : 'DAY_UNREADABLE',
      named,
    );
  }
  const [before, after] = [text.slice(0, meant.from), text.slice(meant.to)];
  const isUnclear =
    ends.length === 0
      ? isOfOther(before, after) ||
        inWords !== null ||
        day < FIRST_YEAR ||
        (day < today && hasWords(text, all))
      : isOfOtherEnd(before) || isTurnedAround(after, day < today);
  if (isUnclear) {
    throw new UnreadableRow('expiry_date', 'DAY_PERHAPS_PAID', named);
  }
  return day;
}

/** The end that a text names although another field is for it; null if the text names none, or only other days. */
export function endNamedIn(content: string, today: Day): string | null {
  const days = daysIn(content);
  const { text, all } = days;
  const called = all.find(({ from }) => isCalledEnd(nearBefore(text, from)))?.text;
  const end = called ?? endInWords(text, all);
  if (end !== null) return end;
  if (all.length === 0) return timeInWords(text, Number(today.slice(0, 4)), AN_EVENT);
  const day = orFault(() => dayAmong(days, today));
  return typeof day === 'string' ? day : null;
}

/** Whether a text has anything that could be a day. */
export function looksLikeDay(content: string): boolean {
  return daysIn(content).all.length > 0;
}
