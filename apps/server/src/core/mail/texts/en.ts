import type { MailTexts } from '../mail-kinds.ts';

export const en: MailTexts = {
  confirm_email: ({ link }, site_name) => ({
    subject: 'Confirm your email address',
    text: `Welcome to ${site_name}.

Open this link to confirm your email address:
${link}

The link works for an hour. After that, sign in with your password to get a new link.
If you did not sign up, ignore this mail.
`,
  }),
  reset_password: ({ link, email }, site_name) => ({
    subject: 'Set a new password',
    text: `Someone asked for a new password for the account ${email} on ${site_name}.

Open this link to set it:
${link}

The link works once, for an hour, and until a newer one is made.
If you did not ask for it, ignore this mail. The password stays as it is.
`,
  }),
  confirm_new_email: ({ link }, site_name) => ({
    subject: 'Confirm your new email address',
    text: `Open this link to sign in to ${site_name} with this address from now on:
${link}

The link works for an hour. Until then, the old address stays.
If you did not ask for this, ignore this mail.
`,
  }),
  email_change_asked: ({ new_email }) => ({
    subject: 'Your email address is to be changed',
    text: `Somebody who is signed in to your account asked to change its email address to ${new_email}.
It changes once that address is confirmed.

If it was not you, change your password now: that stops it.
`,
  }),
  email_changed: ({ new_email }) => ({
    subject: 'Your email address was changed',
    text: `The email address of your account is now ${new_email}. You sign in with it from now on.

If it was not you, tell the administrator at once.
`,
  }),
  two_factor_on: () => ({
    subject: 'Two-factor sign-in was turned on',
    text: `Signing in to your account now needs a code besides the password.

If it was not you, tell the administrator at once.
`,
  }),
  two_factor_off: () => ({
    subject: 'Two-factor sign-in was turned off',
    text: `Signing in to your account now needs the password only.

If it was not you, change your password now and turn two-factor sign-in on again.
`,
  }),
  two_factor_removed: () => ({
    subject: 'An administrator turned two-factor sign-in off',
    text: `An administrator turned two-factor sign-in off for your account and signed it out everywhere.
Signing in now needs the password only.

If you asked for it, sign in and turn two-factor sign-in on again with your new phone.
If you did not, change your password now and tell the administrator at once.
`,
  }),
  contact_answer: ({ name, subject, message, answer }, site_name) => ({
    subject: `Re: ${subject}`,
    text: `Hello ${name},

${site_name} has answered your message:

${answer}

You wrote:

${message}
`,
  }),
  notice: ({ title, content, link, is_conversation }) => ({
    subject: title,
    text: `${content}

${is_conversation ? 'Nobody reads replies to this mail. Answer in the panel:\n' : ''}${link}

Mails like this can be turned off in the settings.
`,
  }),
};
