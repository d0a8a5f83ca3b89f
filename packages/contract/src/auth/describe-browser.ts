/** Browsers in the order in which they are searched for, because many user agents also name other browsers. */
const browsers: [sign: RegExp, name: string][] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*Safari\//, 'Safari'],
];

const systems: [sign: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** The name of a program that is not a browser, at the start of the User-Agent, such as "curl/8.5". */
const PROGRAM = /^(?!Mozilla)[\w.-]{2,30}/;

/** Recognizes browser and system by the User-Agent header; null for one that is unknown. */
export function describeBrowser(userAgent: string | null) {
  const agent = userAgent ?? '';
  const nameIn = (known: [RegExp, string][]) =>
    known.find(([sign]) => sign.test(agent))?.[1] ?? null;
  return {
    name: nameIn(browsers) ?? PROGRAM.exec(agent)?.[0] ?? null,
    system: nameIn(systems),
    isPhone: /\b(iPhone|Android|Mobile)\b/.test(agent),
  };
}
