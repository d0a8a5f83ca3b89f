/** What every screen needs of this language: one file to fetch. */
export { default as auth } from './auth.json';
export { default as common } from './common.json';
export { default as errors } from './errors.json';
