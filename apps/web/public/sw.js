// The service worker: opens the panel's pages while the panel cannot be reached. It knows no build
// and caches nothing itself: pages keep the files of their own build (keep-build.ts), each build in
// a cache of its own. So a new version of the panel needs no new worker, and a page that was open
// during a deployment finds the files of its own version here.

const BUILDS = 'linekeeper-build:';
/**
 * The time in milliseconds to wait for the panel before the kept page is shown: longer than a slow network takes, and
 * shorter than people wait.
 */
const PATIENCE_MS = 8000;

self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (isScreen(pathname)) event.respondWith(openScreen(event));
  } else if (pathname.startsWith('/assets/')) {
    event.respondWith(openFile(request));
  }
});
self.addEventListener('push', (event) => {
  const { id, title, link } = event.data.json();
  const icon = '/icons/icon-192.png';
  event.waitUntil(self.registration.showNotification(title, { tag: id, icon, data: { link } }));
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openLink(event.notification.data.link));
});

/** Opens a page of the panel in a window that is open already, or in a new one if none is. */
async function openLink(link) {
  const url = new URL(link, self.location.origin);
  if (url.origin !== self.location.origin) return;
  const [open] = await self.clients.matchAll({ type: 'window' });
  const opened = await open?.navigate(url.href).catch(() => null);
  await (opened ? opened.focus() : self.clients.openWindow(url.href));
}

async function takeOver() {
  // With this, the browser requests the page while the worker starts, and not afterwards.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/**
 * True for a page of the panel. The API, the pages of the operator and those of customers always come from the panel.
 */
function isScreen(path) {
  return !path.includes('.') && !/^\/(api|health|ready|metrics|l|stop-reminders)(\/|$)/.test(path);
}

/** Names of the caches, the newest first. */
async function builds() {
  const names = await caches.keys();
  return names.filter((name) => name.startsWith(BUILDS)).reverse();
}

async function findKept(address) {
  for (const cacheName of await builds()) {
    const kept = await caches.match(address, { cacheName, ignoreVary: true });
    if (kept) return kept;
  }
  return undefined;
}

/** Opens a file of the web app. Its name contains a hash of its content, so a kept copy is always right. */
async function openFile(request) {
  return (await findKept(request.url)) ?? fetch(request);
}

/**
 * Opens a page from the panel, so that it is always the newest; the kept page if the panel does not respond in time.
 */
async function openScreen(event) {
  const asked = askPanel(event);
  const kept = await findKept('/');
  if (!kept) return asked;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, kept));
  return Promise.race([asked, late]).then(
    (reply) => ([502, 503, 504].includes(reply.status) ? kept : reply),
    () => kept,
  );
}

async function askPanel(event) {
  return (await event.preloadResponse) ?? fetch(event.request);
}
