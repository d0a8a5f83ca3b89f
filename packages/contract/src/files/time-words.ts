/**
 * Names of months, as in sentences: English, German, Polish, Portuguese, Spanish, French, Italian, Czech, Dutch,
 * Turkish. Those in front of the bar are neither names of people nor other words.
 */
const months = [
  'january januar januari jänner stycznia styczniu janeiro enero janvier gennaio ledna | jan jän styczeń sty ene gen leden ocak',
  'february februar februari lutego lutym fevereiro febrero février febbraio února şubat | feb fev lut luty únor',
  'märz maerz marcu março marzo března maart | march marca marzec marco mar mrz mär mars březen mart',
  'kwietnia kwietniu aprile dubna avril | april apr abril abr kwi kwiecień duben nisan',
  'maju maggio května mayıs | may mai maio maj maja mayo mag květen mei',
  'czerwca czerwcu czerwiec junho giugno června haziran | june juni junio jun juin giu cze červen',
  'lipca lipcu julho juillet luglio července temmuz | july juli julio jul lipiec lip lug červenec',
  'sierpnia sierpniu sierpień août srpna ağustos augustus | august aug agosto ago sie srpen',
  'september wrześniu wrzesień setembro septiembre septembre settembre září | sept sep set wrz września eylül',
  'october oktober października październiku październik outubro octubre octobre ottobre října | oct okt out paź říjen ekim',
  'november listopada listopadu listopadzie novembro noviembre novembre | nov lis listopad kasım',
  'december dezember grudnia grudniu dezembro diciembre décembre dicembre prosince aralık | dec dez gru grudzień dic prosinec',
];
const listOf = (half: 0 | 1) =>
  months.flatMap((month) => month.split(' | ')[half]?.split(' ') ?? []).join('|');
const SURE = listOf(0);
export const MONTHS = `${SURE}|${listOf(1)}`;

const UNITS =
  'mon|m(?:n)?ths?|mte|mts|months?|mo|monat(?:e|en|s)?|mies\\p{L}*|m-cy|mes|mês|meses|mois|mes[ei]|maand(?:en)?|ay(?:lık|lik)?|měsíc\\p{L}*|yrs?|years?|jahre?n?|rok|roku|lata?|lat|anos?|año?s?|ans?|années?|ann[oi]|jaar|jaren|yıl(?:lık)?|yil(?:lik)?|sene(?:lik)?|let|days?|tage?n?|dni|dzień|d[ií]as?|jours?|giorn[oi]|dag(?:en)?|gün(?:lük)?|gun|weeks?|wochen?|tydz\\p{L}*|tyg\\p{L}*|semanas?|semaines?|settiman[ae]|week|weken|hafta(?:lık)?|quarters?|quartal\\p{L}*|kwarta[łl]\\p{L}*|trimest\\p{L}*|semest\\p{L}*|квартал|месяц\\p{L}*|мес|год\\p{L}*|лет|дн\\p{L}*|недел\\p{L}*';
const NUMBERS =
  'an?|another|one|two|three|six|twelve|half|ein(?:en|em)?|zwei|drei|sechs|zwölf|halbes|jeden|jedno|dwa|trzy|sześć|na|pół|um|uma|dois|três|seis|doze|un|une|uno|una|dos|tres|doce|medio|deux|trois|due|tre|sei|een|twee|drie|zes|bir|iki|üç|altı|один|два|три';
/** "12 months", "1y": beside a day that nothing calls the end, it may be the beginning. */
export const TERM = new RegExp(
  `(?<![\\p{L}\\d.,/-])(?:\\d{1,3}\\s?[mydtr]|(?:(?:\\d{1,2}[.,/])?\\d{1,3}|${NUMBERS})[\\s-]*(?:more\\s+|a\\s+)?(?:${UNITS}))(?![\\p{L}\\d])`,
  'iu',
);

/** Words that make a time the beginning, or a time that is over. */
const SINCE =
  /(?<!\p{L})(?:since|seit|od|desde|depuis|sinds|dal|da|von|vom|ab|з|с|since the|há|ha|hace|vor|il y a)(?:\s+(?:dem|der|the|há|ok\.?|ca\.?|o|a|początku|anfang|ende|mitte))?[\s:.]*$/iu;
const AGO =
  /^[\s-]*(?:ago|alt|old|temu|atrás|atras|fa|geleden|önce|once|garantie|warranty|guarantee|gwaranc\p{L}*|garantia)(?!\p{L})/iu;
/** Words behind a number that count something else than years, days and months. */
export const COUNTED =
  '\\s*(?:€|\\$|£|(?:x|eur|euros?|zł|zl|pln|usd|gbp|brl|reais|tl|lira|tvs?|box(?:en|es)?|boks\\p{L}*|dekod\\p{L}*|rec\\p{L}*|stb|ger[äa]te?|kart\\p{L}*|cards?|cart\\p{L}*|lines?|kabel|cable|pcs|st[kc]?)(?!\\p{L}))';
const COUNTS = new RegExp(`^${COUNTED}`, 'iu');
/** "10 EUR a month" */
const PRICE = /(?:€|\$|£|(?<!\p{L})(?:eur|euros?|zł|zl|pln|usd|tl|reais))\s*$/iu;
const NUMBERED =
  /(?:(?<!\p{L})(?:pin|code|id|nr|no|num|port|tel|phone|handy|mobil\p{L}*|kom|room|zimmer|pokój|quarto|plz|zip|konto|kd|kunde|cust\p{L}*|model|ver|version|v|rua|str|ul|apt)[\s.:#°º-]*|\d[\s/.-]?|[-+/.:])$/iu;
/** Words in front of a month whose name may also be a person's. */
const IN =
  /(?<!\p{L})(?:in|im|em|en|w|we|on|au|nel|for|für|za|por|para|pour|per|voor|ende|anfang|mitte|mid|end|early|late|next|nächsten?|koniec|końca|fim|fin|fine|through|thru|till?|until|bis|do|até|ate|hasta)[\s:.]*$/iu;

const terms = new RegExp(
  `(?<![\\p{L}\\d.,/-])(?:(?:[1-9]|1[0-2]|18|24|36|48)\\s?(?:[mj]|y(?!\\s*\\d))|(?:[7-9]|\\d{2,3})\\s?d|[1-9]r|(?:(?:\\d{1,2}[.,/])?\\d{1,3}|${NUMBERS})[\\s-]*(?:more\\s+|a\\s+)?(?:${UNITS})(?:[-\\s]*\\p{L}*(?:abo|abonn\\p{L}*))?)(?![\\p{L}\\d])`,
  'giu',
);
/** "24h", "48 Std": a term beside a word for a trial; alone a note, as in "24h Hotline". */
const HOURS =
  '(?:h|hrs?|hours?|std|stunden?|godz\\p{L}*|g|horas?|heures?|or[ae]|uur|uren|saat(?:lik|lık)?|hod\\p{L}*|час\\p{L}*|ч|mins?|minut\\p{L}*|dk|dakika)';
const OF_TRIAL =
  '(?<!\\p{L})(?:trial|trail|test|prób|prob(?!lem)|prueb|essai|prova|proef|deneme|demo|тест|проб)\\p{L}{0,20}?';
const hours = new RegExp(
  `(?:(?<![\\p{L}\\d.,/:])|(?<=${OF_TRIAL}))(?:(?:\\d{1,2}[.,/])?\\d{1,3}|${NUMBERS})[\\s-]*${HOURS}(?![\\p{L}\\d])`,
  'giu',
);
const A_TRIAL = new RegExp(OF_TRIAL, 'iu');

/** The hours of a trial; null if a text names none. */
function hoursIn(text: string): string | null {
  if (!A_TRIAL.test(text)) return null;
  const found = [...text.matchAll(hours)].find(
    ({ 0: said, index }) =>
      !SINCE.test(text.slice(0, index)) && !AGO.test(text.slice(index + said.length)),
  );
  return found?.[0] ?? null;
}

/** Whether a text names the hours of a trial, so that a day beside them may be its beginning. */
export const isOfHours = (text: string): boolean => hoursIn(text) !== null;

/** Months: 12 */
const termsTurned =
  /(?<!\p{L})(?:months|monate|miesi[ąa]ce|miesi[ęe]cy|meses|mois|mesi|maanden|days|tage|dni|dias|días|jours|giorni|years|jahre|anos|años|laufzeit|duration|okres)\s*[:=x*]?\s*\d{1,3}(?!\d)/giu;
const periods =
  /(?<!\p{L})(?:(?:jahres|monats|quartals|saison|wochen)ende|end\s+of\s+(?:the\s+)?(?:year|month|season|week)|ende\s+(?:des|vom)\s+(?:jahr|monat)\p{L}*|koniec\s+(?:roku|miesi[ąa]ca)|fi[mn]e?\s+(?:d[eo]l?\s+)?(?:ano|año|anno|m[êe]s|mese|mois)|fin\s+d'ann[ée]e|y[ıi]l\s+sonu|ay\s+sonu|(?:next|last)\s+(?:year|month|week)|rok\s+czasu|ostatni\s+miesi[ąa]c|letzter\s+monat|[úu]ltimo\s+m[êe]s|(?:sommer|winter|herbst|fr[üu]hjahr|summer|autumn|spring|ver[ãa]o|verano|inverno|invierno|lato|zima)\s*['’]?[2-6]\d|(?:kw|cw)\s?\d{1,2}|n[äa]chste[ns]?\s+(?:jahr|monat|woche)|przysz[łl]y\s+(?:rok|miesi[ąa]c)|pr[óo]ximo\s+(?:ano|m[êe]s|a[ñn]o|mes)|seasons?|saison|sezon\p{L}*|temporada|[ée]poca|stagione|(?:jahres|monats|halbjahres)abo\p{L}*|halbjahr\p{L}*|(?:yearly|annual|monthly)\s+(?:sub|plan|abo|renewal)\p{L}*|(?:abonament|plano?|pag[ao]|sub|abo|assinatura|suscripci[óo]n)\s+(?:roczn[yae]|miesi[ęe]czn[yae]|kwartaln[yae]|p[óo][łl]roczn[yae]|anual|mensal|mensual|trimestral|semestral)|y[ıi]ll[ıi]k|[\p{L}\d]{1,30}(?:['’]\p{L}{1,10})?\s+kadar|po\s+terminie)(?!\p{L})/giu;
/** Words for a payment on a day of a month: due 15th. */
const DUE =
  '(?<!\\p{L})(?:due|(?:next\\s+)?payments?|renew(?:al|s)?|renovar|f[äa]llig|p[łl]atn[ey]|p[łl]atno[śs][ćc]|vto|bez(?=\\.))';
const dueDays = new RegExp(
  `${DUE}[\\s:.]+(?:(?:on|by|am|dnia|dia|em|en|the|do|każdego|every)\\s+)*\\d{1,2}(?:st|nd|rd|th|\\.|-go|º)?(?![\\d.,])(?!${COUNTED})`,
  'giu',
);
const isDue = new RegExp(`${DUE}[\\s:.]*$`, 'iu');
/** 1/27, which beside a payment is a month. */
const shortMonths = /(?<![\d./-])(?:0?[1-9]|1[0-2])[/.-](?:20)?[2-6]\d(?![\d]|[./-]\d)/gu;
/** Nothing else in the comment: "year". */
const onlyUnit = new RegExp(`^[^\\p{L}\\d]*(?:${UNITS})[^\\p{L}\\d]*$`, 'giu');
const sureMonths = new RegExp(`(?<!\\p{L})(?:${SURE})(?!\\p{L})`, 'giu');
const anyMonths = new RegExp(`(?<!\\p{L})(?:${MONTHS})(?!\\p{L})`, 'giu');
const years =
  /(?<![\p{L}\d])(?:(?:19|20)\d\d|['’´`][2-6]\d)(?:[-/]\d\d)?(?![\p{L}\d]|[-.:/]\d|['’´`]\d)/gu;

const YEARS_TO_COME = 20;

/**
 * A time that a comment without a day names: "12 months", "pays in December", "Ende 2027"; null if it names none.
 * Times with a word such as "since" do not count, nor do names and numbers that only look like times: "June Carter",
 * "0171 2030".
 */
export function timeInWords(text: string, year: number, event: RegExp): string | null {
  const around = ({ 0: found, index = 0 }: RegExpMatchArray) => ({
    found,
    before: text.slice(Math.max(0, index - 100), index),
    after: text.slice(index + found.length, index + found.length + 100),
  });
  const first = (pattern: RegExp, isMeant: (one: ReturnType<typeof around>) => boolean) =>
    [...text.matchAll(pattern)]
      .map(around)
      .find((one) => !SINCE.test(one.before) && !AGO.test(one.after) && isMeant(one))?.found;
  const isEventBefore = (before: string) =>
    isDue.test(before) || event.test(/[\p{L}]+[\s:.]*$/u.exec(before)?.[0] ?? '');
  return (
    first(terms, ({ found, before, after }) => {
      if (COUNTS.test(after) || (/m$/i.test(found) && /^\.?\s*\d/.test(after))) return false;
      return /^\d/.test(found) || !PRICE.test(before);
    }) ??
    hoursIn(text) ??
    first(termsTurned, () => true) ??
    first(periods, () => true) ??
    first(onlyUnit, () => true) ??
    first(dueDays, () => true) ??
    first(shortMonths, ({ before }) => isEventBefore(before)) ??
    first(sureMonths, () => true) ??
    first(
      anyMonths,
      ({ before, after }) =>
        isEventBefore(before) || (IN.test(before) && !/^\s+\p{Lu}/u.test(after)),
    ) ??
    first(years, ({ found, before, after }) => {
      if (NUMBERED.test(before) || COUNTS.test(after) || /^\s\d/.test(after)) return false;
      const named = found.length === 3 ? 2000 + Number(found.slice(1)) : Number(found.slice(0, 4));
      const isToCome = named >= year && named <= year + YEARS_TO_COME;
      return isToCome || isEventBefore(before);
    }) ??
    null
  );
}
