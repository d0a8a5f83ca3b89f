/** The address that was signed up or confirmed in this page, for the form that follows. */
let email = '';

export const rememberEmail = (signedUp: string): void => {
  email = signedUp;
};

export const rememberedEmail = (): string => email;
