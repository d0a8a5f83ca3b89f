export const languages = ['en', 'de', 'pl', 'pt'] as const;
export type Language = (typeof languages)[number];
