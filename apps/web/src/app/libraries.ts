// In the file of the libraries, which entry.ts thereby evaluates before the application.
export {};
