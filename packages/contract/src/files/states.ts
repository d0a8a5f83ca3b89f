import { plain } from './csv-columns.ts';

const off = new Set(
  'disabled suspended banned inactive blocked deactivated closed locked deleted cancelled canceled terminated off no n false f 0 gesperrt deaktiviert inaktiv aus nein falsch geloscht zablokowana zablokowany zawieszona zawieszony nieaktywna nieaktywny wylaczona wylaczony usunieta usuniety nie falsz suspenso suspensa inativo inativa bloqueado bloqueada desativado desativada eliminado eliminada nao falso'.split(
    ' ',
  ),
);
const on = new Set(
  'enabled active on yes y true t 1 trial online offline aktiv ja wahr aktywna aktywny tak prawda ativo ativa sim verdadeiro'.split(
    ' ',
  ),
);
const ended = new Set(
  'expired abgelaufen wygasla wygasl wygasly wygasniety wygasnieta expirado expirada vencido vencida caducado caducada'.split(
    ' ',
  ),
);
const yes = new Set('yes y true t 1 x on ja j wahr tak prawda sim s verdadeiro'.split(' '));
const no = new Set('no n false f 0 off nein falsch nie falsz nao falso'.split(' '));

/** Without signs that may turn a word around: -1, !active. */
const BARE = /^[\p{L}\p{M}\p{N}]+(?:[ _-][\p{L}\p{M}\p{N}]+)*$/u;
const isBare = (word: string) => BARE.test(word.trim());

/** The state that a word gives a line; null if it says nothing of whether the line runs. */
export function stateNamed(word: string): 'on' | 'off' | 'ended' | null {
  const text = plain(word);
  if (off.has(text)) return 'off';
  if (ended.has(text)) return 'ended';
  return on.has(text) && isBare(word) ? 'on' : null;
}

/** Whether a line runs of which a word says that it is off; null where it says neither. */
export function runsBy(denial: string): boolean | null {
  const said = answer(denial);
  if (said === true) return false;
  if (said === false) return isBare(denial) ? true : null;
  const state = stateNamed(denial);
  return state === null ? null : state === 'on';
}

/** Yes or no in the panel's languages; null for anything else. */
export function answer(word: string): boolean | null {
  const text = plain(word);
  if (yes.has(text)) return true;
  return no.has(text) ? false : null;
}
