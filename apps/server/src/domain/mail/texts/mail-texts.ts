import type { Language } from '@linekeeper/contract/languages.ts';
import type { MailKind } from '../../notices/outbox.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import type { MailTexts } from './mail-kinds.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';

/** All mails in all languages. German uses "Sie"; Polish and Portuguese avoid addressing the reader. */
export const mailTexts: Record<Language, MailTexts> = { en, de, pl, pt };

type Reasons = Record<Language, (about: { site_name: string; email: string }) => string>;

/** The sentence below a mail to somebody who need not have an account: why it was sent. */
const contactReasons: Reasons = {
  en: ({ site_name, email }) =>
    `You received this email because ${email} was given in the contact form of ${site_name}. Replies to this email are not read.`,
  de: ({ site_name, email }) =>
    `Sie erhalten diese E-Mail, weil im Kontaktformular von ${site_name} die Adresse ${email} angegeben wurde. Antworten auf diese E-Mail werden nicht gelesen.`,
  pl: ({ site_name, email }) =>
    `Ta wiadomość została wysłana, ponieważ w formularzu kontaktowym panelu ${site_name} podano adres ${email}. Odpowiedzi na tę wiadomość nie są czytane.`,
  pt: ({ site_name, email }) =>
    `Esta mensagem foi enviada porque ${email} foi indicado no formulário de contacto de ${site_name}. As respostas a esta mensagem não são lidas.`,
};

/** The sentence below each other mail that says why it was sent. */
const accountReasons: Reasons = {
  en: ({ site_name, email }) =>
    `You received this email because ${email} has an account on ${site_name}.`,
  de: ({ site_name, email }) =>
    `Sie erhalten diese E-Mail, weil es bei ${site_name} ein Konto für ${email} gibt.`,
  pl: ({ site_name, email }) =>
    `Ta wiadomość została wysłana, ponieważ w panelu ${site_name} istnieje konto ${email}.`,
  pt: ({ site_name, email }) =>
    `Esta mensagem foi enviada porque existe uma conta de ${email} em ${site_name}.`,
};

/** The sentence at the end of each mail that says why the reader gets it. */
export function mailReason(
  kind: MailKind,
  language: Language,
  about: { site_name: string; email: string },
): string {
  return (kind === 'contact_answer' ? contactReasons : accountReasons)[language](about);
}
