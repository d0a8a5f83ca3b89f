import { readFileSync } from 'node:fs';
import { today as dayOf } from '@linekeeper/contract/dates.ts';
import { phoneDigits } from '@linekeeper/contract/fields/line-details.ts';
import { type Language, languages } from '@linekeeper/contract/languages.ts';
import { fill } from '../../../domain/notices/notices.ts';
import { Html, html } from '../../../platform/html.ts';
import type { PageFacts, PageServer } from './page-facts.ts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import pl from './texts/pl.json' with { type: 'json' };
import pt from './texts/pt.json' with { type: 'json' };

const texts: Record<Language, typeof en> = { en, de, pl, pt };
const names: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  pl: 'Polski',
  pt: 'Português',
};
const locales: Record<Language, string> = { en: 'en-GB', de: 'de', pl: 'pl', pt: 'pt-PT' };
const receivers = ['cccam', 'oscam', 'enigma2', 'other'] as const;

/** The stylesheet of all customers' pages, which each has inside, so that it needs no other file. */
export const pageStyle = readFileSync(new URL('./page.css', import.meta.url), 'utf8');

/** A text whose words between ** are bold. */
const rich = (text: string) =>
  text.split('**').map((part, index) => (index % 2 === 1 ? html`<b>${part}</b>` : part));

function documentOf(language: Language, title: string, content: Html): string {
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<title>${title}</title>
<style>${new Html(pageStyle)}</style></head>
<body><main>${content}</main></body></html>`.text;
}

type Message = 'gone' | 'later' | 'stop' | 'stopped' | 'no_stop';

/** A page with one message, such as that there is no such page. A button sends the page's own address. */
export function messagePage(kind: Message, language: Language, button?: string): string {
  const { title, message } = texts[language];
  const form = button && html`<form method="post"><button>${button}</button></form>`;
  const content = html`<section class="card"><h1>${message[kind]}</h1><p>${message[`${kind}_hint`]}</p>${form}</section>`;
  return documentOf(language, title, content);
}

/** The page that asks whether reminders are to be stopped. */
export const stopPage = (language: Language) => messagePage('stop', language, texts[language].stop);

/** The page as messengers get it, which show some of each link that is sent, and may keep it. */
export function previewPage(language: Language): string {
  const { title } = texts[language];
  return documentOf(language, title, html`<h1>${title}</h1>`);
}

interface Shown {
  language: Language;
  token: string;
}

/** The page of a line, as its customer sees it. */
export function linePage(facts: PageFacts, { language, token }: Shown): string {
  const t = texts[language];
  const { seller, line } = facts;
  const address = (path: string) => `/l/${token}${path}?lang=${language}`;
  const ways = languages.map((one) => {
    const isOn = one === language && html` class="on" aria-current="true"`;
    return html`<a href="/l/${token}?lang=${one}" lang="${one}" hreflang="${one}"${isOn}>${names[one]}</a>`;
  });
  const content = html`<header class="who">
${seller.name && html`<span class="av" aria-hidden="true">${initialsOf(seller.name)}</span>`}
<div><h1 dir="auto">${seller.name ?? t.title}</h1><span class="cap" dir="auto">${line.username}</span></div></header>
${facts.is_suspended ? paused(t) : [state(facts, language, address('/renewal')), entered(facts, t)]}
${questions(facts, t)}
<nav class="ways" aria-label="${t.language}">${ways}</nav>`;
  return documentOf(language, [seller.name, t.title].filter(Boolean).join(' – '), content);
}

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('');

const paused = (t: typeof en) =>
  html`<section class="card"><h2>${t.paused}</h2><p>${t.paused_hint}</p></section>`;

const dayText = (day: string, language: Language) =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00Z`),
  );

/** A moment by its time, with the day if it is another one. The zone is the panel's, so it is named. */
function momentText(at: Date, { time_zone: timeZone, today }: PageFacts, language: Language) {
  const isToday = dayOf(timeZone, at) === today;
  const day = { day: 'numeric', month: 'short' } as const;
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  const format = { ...(!isToday && day), ...time, timeZone, hour12: language === 'en' };
  return new Intl.DateTimeFormat(locales[language], format).format(at);
}

/** The days that are left, or since when the line has expired. */
function daysText({ days_left }: PageFacts, language: Language): string {
  const t = texts[language];
  const locale = locales[language];
  if (days_left === 0) return t.last_day;
  if (days_left < 0) {
    const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days_left, 'day');
    return fill(t.expired, { ago });
  }
  const unit = { style: 'unit', unit: 'day', unitDisplay: 'long' } as const;
  const days = new Intl.NumberFormat(locale, unit).format(days_left);
  return fill(t.left, { days });
}

/**
 * The part of the page with the last paid day, the state of server and receiver, and the button that asks for a
 * renewal.
 */
function state(facts: PageFacts, language: Language, renewal: string): Html {
  const t = texts[language];
  const { line, asked_at, asked_today } = facts;
  const isOver = facts.days_left < 0;
  const moment = (at: Date | string) => momentText(new Date(at), facts, language);
  const asked =
    asked_at && html`<p class="asked" role="status">${fill(t.asked, { at: moment(asked_at) })}</p>`;
  const ask =
    !asked_today && html`<form method="post" action="${renewal}"><button>${t.ask}</button></form>`;
  return html`<section class="card"><p class="t2">${line.is_trial ? t.trial_until : t.paid_until}</p>
<p class="big">${dayText(line.expiry_date, language)}</p>
<p class="${isOver ? 'bad' : 't2'}">${daysText(facts, language)}</p>
<ul class="state${facts.servers.length > 1 && ' many'}">${facts.servers.map((server) => serverRow(server, facts, moment, t))}${presenceRow(facts, moment, t)}</ul>
${asked}${ask}</section>`;
}

type Moment = (at: Date | string) => string;

const row = (tone: 'good' | 'bad' | 'quiet', text: string, caption: string) =>
  html`<li><i class="dot ${tone}"></i><p><b>${text}</b><span class="cap">${caption}</span></p></li>`;

function serverRow(
  { state, server_name }: PageServer,
  { servers }: PageFacts,
  moment: Moment,
  t: typeof en,
) {
  if (!state) return null;
  const name = servers.length > 1 ? `${server_name} · ` : '';
  const at = fill(state.responds ? t.checked : t.since, { at: moment(state.at) });
  return row(state.responds ? 'good' : 'bad', state.responds ? t.responds : t.away, name + at);
}

function presenceRow({ line: { presence } }: PageFacts, moment: Moment, t: typeof en) {
  const { state, since, last_seen_at } = presence;
  if (state === 'unknown') return null;
  if (state === 'online')
    return row('good', t.online, since ? fill(t.since, { at: moment(since) }) : '');
  const seen = last_seen_at ? fill(t.since, { at: moment(last_seen_at) }) : '';
  return row('quiet', last_seen_at ? t.offline : t.never, seen);
}

/** The steps for each kind of receiver. The receiver is chosen by radio buttons, which work without a script. */
function entered(facts: PageFacts, t: typeof en): Html {
  const protocol = facts.servers[0]?.protocol === 'NewCamd' ? 'newcamd' : 'cccam';
  const choices = receivers.map(
    (name, index) =>
      html`<input type="radio" name="receiver" id="${name}"${index === 0 && new Html(' checked')}>`,
  );
  const labels = receivers.map((name) => html`<label for="${name}">${t.receivers[name]}</label>`);
  const steps = receivers.map((name) => {
    const [first = '', second = ''] = t.steps[protocol][name];
    return html`<ol class="steps for-${name}"><li><p>${rich(first)}</p></li><li><p>${rich(second)}</p></li></ol>`;
  });
  return html`<section class="card"><h2>${t.enter}</h2>
<fieldset><legend>${t.receiver}</legend>${choices}<div class="tabs">${labels}</div>${steps}</fieldset>
<dl>${facts.servers.map((server) => addressRows(server, facts, t))}${loginRows(facts, t)}</dl>
<ol class="steps" start="3"><li value="3"><p>${t.save}</p></li></ol></section>`;
}

const value = (name: string, shown: Html | string | number) =>
  html`<div><dt>${name}</dt><dd>${shown}</dd></div>`;

function addressRows(server: PageServer, { servers }: PageFacts, t: typeof en) {
  const { server_name, protocol, host, port, ports, des_key } = server;
  const isNewcamd = protocol === 'NewCamd';
  return [
    servers.length > 1 && value(t.server, `${server_name} (${protocol})`),
    value(t.address, host),
    isNewcamd
      ? ports.map((one) => value(fill(t.port_of, { caid: one.caid }), one.port))
      : value(t.port, port),
    isNewcamd && value(t.key, des_key),
  ];
}

function loginRows({ line, password }: PageFacts, t: typeof en) {
  const dots = html`<span class="dots" aria-hidden="true">••••••••</span>`;
  const shown =
    password === null
      ? t.ask_password
      : html`<details><summary>${dots}<span class="show">${t.show}</span></summary><code>${password}</code></details>`;
  return [value(t.username, line.username), value(t.password, shown)];
}

/** Icons of Lucide, as the panel has them. */
const icons = {
  phone:
    'M13.832 16.568a1 1 0 0 0 1.213-.303l.355-.465A2 2 0 0 1 17 15h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2A18 18 0 0 1 2 4a2 2 0 0 1 2-2h3a2 2 0 0 1 2 2v3a2 2 0 0 1-.8 1.6l-.468.351a1 1 0 0 0-.292 1.233 14 14 0 0 0 6.392 6.384',
  whatsapp:
    'M2.992 16.342a2 2 0 0 1 .094 1.167l-1.065 3.29a1 1 0 0 0 1.236 1.168l3.413-.998a2 2 0 0 1 1.099.092 10 10 0 1 0-4.777-4.719',
  telegram:
    'M14.536 21.686a.5.5 0 0 0 .937-.024l6.5-19a.496.496 0 0 0-.635-.635l-19 6.5a.5.5 0 0 0-.024.937l7.93 3.18a2 2 0 0 1 1.112 1.11zM21.854 2.147l-10.94 10.939',
};
const icon = (name: keyof typeof icons) =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${icons[name]}"/></svg>`;

/** The seller's words, and the ways to reach the seller. */
function questions({ seller: { words, phone, telegram } }: PageFacts, t: typeof en) {
  if (!words && !phone && !telegram) return null;
  const digits = phoneDigits(phone ?? '').replace(/^00/, '');
  // A messenger finds only numbers with the code of their country.
  const isInternational = /^\s*(\+|00)/.test(phone ?? '');
  const outside = (href: string, name: string, drawn: Html) =>
    html`<a class="out" href="${href}" rel="noreferrer">${drawn}${name}</a>`;
  return html`<section class="card"><h2>${t.questions}</h2>
${words && html`<p class="words" dir="auto">${words}</p>`}
${phone && html`<p class="tel">${icon('phone')}<a href="tel:${isInternational ? '+' : ''}${digits}">${phone}</a></p>`}
<p class="outs">${isInternational && outside(`https://wa.me/${digits}`, 'WhatsApp', icon('whatsapp'))}${telegram && outside(`https://t.me/${telegram}`, 'Telegram', icon('telegram'))}</p></section>`;
}
