// Answer to a request for `sw.js` where the shell is not kept: replaces the service worker by none.
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (/^shell[:-]/.test(name)) await caches.delete(name)
      await self.registration.unregister()
    })(),
  ),
)
