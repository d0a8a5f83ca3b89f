import type { Language } from '@linekeeper/contract/languages.ts';
import type { MailTexts } from './mail-kinds.ts';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { pl } from './texts/pl.ts';
import { pt } from './texts/pt.ts';

/** All mails in all languages. German uses "Sie"; Polish and Portuguese avoid addressing the reader. */
export const mailTexts: Record<Language, MailTexts> = { en, de, pl, pt };

/** The sentence below each mail that says why it was sent. */
export const mailReasons: Record<
  Language,
  (about: { site_name: string; email: string }) => string
> = {
  en: ({ site_name, email }) =>
    `You receive this mail because ${email} has an account on ${site_name}.`,
  de: ({ site_name, email }) =>
    `Sie erhalten diese E-Mail, weil es bei ${site_name} ein Konto für ${email} gibt.`,
  pl: ({ site_name, email }) =>
    `Powód wysłania tej wiadomości: konto ${email} w panelu ${site_name}.`,
  pt: ({ site_name, email }) =>
    `Esta mensagem foi enviada porque existe uma conta de ${email} em ${site_name}.`,
};
