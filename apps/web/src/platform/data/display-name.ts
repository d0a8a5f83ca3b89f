import type { Me } from '@linekeeper/contract/auth/auth.ts';

export function nameOfEmail(email: string): string {
  return email.split('@')[0] ?? email;
}

/** The full name, or, without one, the part of the email before the @. */
export function displayName({ full_name, email }: Pick<Me, 'full_name' | 'email'>): string {
  return full_name.trim() || nameOfEmail(email);
}
