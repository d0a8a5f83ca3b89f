import { phoneDigits } from '@linekeeper/contract/fields/line-details.ts';

/** Ways to write to a phone number, with a text. Messengers take digits alone, from the country code on. */
const ways = {
  WhatsApp: (digits: string, text: string) => `https://wa.me/${digits}?text=${text}`,
  Telegram: (digits: string, text: string) => `https://t.me/+${digits}?text=${text}`,
  SMS: (digits: string, text: string, plus: string) => `sms:${plus}${digits}?&body=${text}`,
} as const;
export type Messenger = keyof typeof ways;

export const messengers = Object.keys(ways) as Messenger[];

/** The address that opens a messenger at a phone number, with a text. */
export function addressOf(way: Messenger, phone: string, text: string): string {
  const isAbroad = /^(\+|00)/.test(phone);
  const digits = phoneDigits(phone).replace(/^00/, '');
  return ways[way](digits, encodeURIComponent(text), isAbroad ? '+' : '');
}
