/** The address of every screen. Links and redirects take it from here. */
export const paths = {
  home: () => '/',
  signIn: () => '/sign-in',
  signUp: () => '/sign-up',
  callback: () => '/callback',
  notFound: () => '/404',
  profile: () => '/profile/edit',
  lines: () => '/users/all',
  addLine: () => '/users/add',
  editLine: (id: string) => `/users/edit/${id}`,
  importLines: () => '/users/import',
  servers: () => '/cccam-servers/manage',
  addServer: () => '/cccam-servers/add',
  checkServers: () => '/cccam-servers/check',
  testApi: () => '/cccam-servers/test-api',
  sync: () => '/cccam-servers/sync',
  editServer: (id: string) => `/cccam-servers/edit/${id}`,
} as const;
