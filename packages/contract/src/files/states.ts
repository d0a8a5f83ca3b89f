import { plain } from './csv-columns.ts';

const off = new Set(
  'disabled suspended banned inactive blocked deactivated closed locked cancelled canceled terminated off no n false f 0 gesperrt deaktiviert inaktiv aus nein falsch zablokowana zablokowany zawieszona zawieszony nieaktywna nieaktywny wylaczona wylaczony nie falsz suspenso suspensa inativo inativa bloqueado bloqueada desativado desativada nao falso'.split(
    ' ',
  ),
);
const on = new Set(
  'enabled active expired on yes y true t 1 trial online offline aktiv abgelaufen ja wahr aktywna aktywny wygasla tak prawda ativo ativa expirado expirada sim verdadeiro'.split(
    ' ',
  ),
);
const yes = new Set('yes y true t 1 x on ja j wahr tak prawda sim s verdadeiro'.split(' '));
const no = new Set('no n false f 0 off nein falsch nie falsz nao falso'.split(' '));

/** Whether a word says that a line runs; null where it says neither. */
export function runs(word: string): boolean | null {
  const text = plain(word);
  if (off.has(text)) return false;
  return on.has(text) ? true : null;
}

/** Yes or no in the panel's languages; null for anything else. */
export function answer(word: string): boolean | null {
  const text = plain(word);
  if (yes.has(text)) return true;
  return no.has(text) ? false : null;
}
