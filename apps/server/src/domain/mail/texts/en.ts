import type { MailTexts } from './mail-kinds.ts';

export const en: MailTexts = {
  confirm_email: ({ link, name }, site_name) => ({
    subject: 'Confirm your email address',
    text: `Welcome to ${site_name}.
${name && `The name given at sign-up: ${name}\n`}
Open this link to confirm your email address:
${link}

If you open it in a different browser from the one you signed up with, enter the password that you chose.
The link works for an hour. After that, sign in with your password to get a new link.
If you did not sign up, ignore this email.
`,
  }),
  reset_password: ({ link, email }, site_name) => ({
    subject: 'Set a new password',
    text: `Someone asked for a new password for the account ${email} on ${site_name}.

Open this link to set a new password:
${link}

The link works once. It expires after an hour, or as soon as a newer one is created.
If you did not ask for this, ignore this email. Your password will not change.
`,
  }),
  confirm_new_email: ({ link }, site_name) => ({
    subject: 'Confirm your new email address',
    text: `Open this link to sign in to ${site_name} with this address from now on:
${link}

The link works for an hour. Your old address stays in use until you open it.
If you did not ask for this, ignore this email.
`,
  }),
  email_change_asked: ({ new_email }) => ({
    subject: 'A change of your email address was requested',
    text: `Someone signed in to your account asked to change its email address to ${new_email}.
The change takes effect once that address is confirmed.

If this was not you, change your password now. That cancels the change.
`,
  }),
  email_changed: ({ new_email }) => ({
    subject: 'Your email address was changed',
    text: `The email address of your account is now ${new_email}. Use it to sign in from now on.

If this was not you, contact the administrator immediately.
`,
  }),
  two_factor_on: () => ({
    subject: 'Two-factor sign-in was turned on',
    text: `Signing in to your account now requires a code in addition to the password.

If this was not you, contact the administrator immediately.
`,
  }),
  two_factor_off: () => ({
    subject: 'Two-factor sign-in was turned off',
    text: `Signing in to your account now requires only the password.

If this was not you, change your password now and turn two-factor sign-in on again.
`,
  }),
  two_factor_removed: () => ({
    subject: 'An administrator turned two-factor sign-in off',
    text: `An administrator turned off two-factor sign-in for your account and signed it out everywhere.
Signing in now requires only the password.

If you asked for this, sign in and turn two-factor sign-in on again with your new phone.
If you did not, change your password now and contact the administrator immediately.
`,
  }),
  contact_answer: ({ name, subject, message, answer }, site_name) => ({
    subject: `Re: ${subject}`,
    text: `Hello ${name},

${site_name} has replied to your message:

${answer}

You wrote:

${message}
`,
  }),
  notice: ({ title, content, link, is_conversation }) => ({
    subject: title,
    text: `${content}

${is_conversation ? 'Replies to this email are not read. Reply in the panel:\n' : ''}${link}

You can turn off emails like this in the settings.
`,
  }),
};
