/**
 * The import law (docs/decisions/0001): each layer sees only those below it.
 *   server: commands → app → features → domain → platform → db → contract, data-folder; http sees
 *           domain and platform
 *   web:    app → features → domain → kit → platform → screens → contract
 */
const server = '^apps/server/src';
const web = '^apps/web/src';
const notTests = { pathNot: '\\.(test|setup|soak)\\.tsx?$|/testing/|/security/|/process-tests/' };

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    forbid('no-circles', 'Files that need each other are one room', {}, { circular: true }),
    forbid('resolvable', 'An import must lead somewhere', {}, { couldNotResolve: true }),
    forbid(
      'contract-imports-only-zod',
      'Both sides depend on the contract, so it depends on nothing',
      { path: '^packages/contract/src', pathNot: '\\.test\\.ts$' },
      { pathNot: '^packages/contract/src|node_modules/zod' },
    ),
    forbid(
      'packages-below-apps',
      'What several programs use, or none but one should look into, knows neither them nor the contract',
      { path: '^packages/(?!contract/|line-files/)' },
      { path: '^(apps|packages/contract)/' },
    ),
    forbid(
      'line-files-see-the-contract',
      'The reader of files is pure, so that the browser and the server read alike',
      { path: '^packages/line-files/src', pathNot: '\\.test\\.ts$' },
      { pathNot: '^packages/(line-files|contract)/src|node_modules/zod' },
    ),
    forbid(
      'features-are-strangers',
      'What two features need moves down to domain, kit or platform',
      { path: '^apps/([^/]+)/src/features/([^/]+)/', ...notTests },
      { path: '^apps/$1/src/features/', pathNot: '^apps/$1/src/features/$2/' },
    ),
    forbid(
      'server-features',
      'A feature knows domain, platform, db and the contract, not HTTP',
      { path: `${server}/features/`, ...notTests },
      { path: `${server}/(commands/|http/|testing/|[^/]+\\.ts$)` },
    ),
    forbid(
      'server-http',
      'HTTP meets the features in app.ts, and knows of the database its errors and its deadline',
      { path: `${server}/http/`, ...notTests },
      { path: `${server}/(commands/|features/|db/(?!errors|deadline)|testing/|[^/]+\\.ts$)` },
    ),
    forbid(
      'server-domain',
      'What features share about the business is below features and HTTP',
      { path: `${server}/domain/`, ...notTests },
      { path: `${server}/(commands/|features/|http/|testing/|[^/]+\\.ts$)` },
    ),
    forbid(
      'server-platform',
      'What any program needs knows nothing of the business',
      { path: `${server}/platform/`, ...notTests },
      { path: `${server}/(commands/|features/|http/|domain/|testing/|[^/]+\\.ts$)` },
    ),
    forbid(
      'server-db',
      'The database is at the bottom',
      { path: `${server}/db/`, ...notTests },
      { path: `${server}/(commands/|domain/|platform/|features/|http/|testing/|[^/]+\\.ts$)` },
    ),
    forbid(
      'server-app',
      'Commands start the app, never the other way; two files only stand in for a command',
      { path: `${server}/(?!main|backup)[^/]+\\.ts$`, ...notTests },
      { path: `${server}/commands/` },
    ),
    forbid(
      'web-features',
      'A feature knows the floors below it and the contract',
      { path: `${web}/features/`, ...notTests },
      { path: `${web}/app/` },
    ),
    forbid(
      'styles-stay-home',
      'What another room draws in the same way is a component',
      { path: `${web}/(app|(features|domain|kit|platform)/[^/]+)/` },
      { path: `${web}/.*\\.module\\.css$`, pathNot: `${web}/$1/` },
    ),
    forbid(
      'samples-apart',
      'Sample pages are loaded by their address alone',
      { path: `${web}/`, pathNot: `${web}/(features/samples/|app/pages\\.ts$)` },
      { path: `${web}/features/samples/` },
    ),
    forbid(
      'samples-invent',
      'Sample pages ask the panel nothing',
      { path: `${web}/features/samples/`, ...notTests },
      {
        path: `${web}/(domain/|platform/(api|data)|kit/forms/use-)|^packages/contract/(?!src/languages)`,
      },
    ),
    forbid(
      'web-domain',
      'What features share about the business is below them, and has no page',
      { path: `${web}/domain/`, ...notTests },
      { path: `${web}/(app|features)/` },
    ),
    forbid(
      'web-kit',
      'Lists, forms and controls know nothing of the business',
      { path: `${web}/kit/`, ...notTests },
      { path: `${web}/(app|features|domain)/` },
    ),
    forbid(
      'web-platform',
      'What any web app needs draws nothing of its own',
      { path: `${web}/platform/`, ...notTests },
      { path: `${web}/(app|features|domain|kit)/` },
    ),
    forbid(
      'web-screens',
      'The register of screens is below all that reads it',
      { path: `${web}/screens/`, ...notTests },
      { path: `${web}/(app|features|domain|kit|platform)/` },
    ),
    forbid(
      'no-loose-files',
      'A file of the web app is in a folder that says what it is about',
      { path: `${web}/` },
      { path: `${web}/((domain|kit|platform)/)?[^/]+$` },
    ),
    forbid(
      'apart',
      'Browser, server and agent meet in the contract and over the wire only',
      { path: '^apps/([^/]+)/src', ...notTests },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    forbid(
      'no-test-code-in-the-product',
      'Tests import the product, never the other way',
      { path: '^(apps|packages)/', pathNot: '\\.(test|setup|soak)\\.tsx?$|/testing/' },
      { path: '\\.test\\.tsx?$|/testing/' },
    ),
  ],
  options: {
    // Version 18.1.0 stops at the first `.tsx` file with this parser, and judges no file of the web app.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
