import manifest from '../../../package.json' with { type: 'json' };

/** The panel's version, which CHANGELOG.md tells about. */
export const { version } = manifest;
