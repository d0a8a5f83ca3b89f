/** The namespaces that every screen needs, bundled as one file per language. */
export { default as auth } from './auth.json';
export { default as common } from './common.json';
export { default as errors } from './errors.json';
