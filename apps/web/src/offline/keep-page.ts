/**
 * Stores this page and its loaded scripts on the device, so that the page opens without network. `public/offline.js`
 * serves them below `scope`. Files of earlier builds are removed from the cache, so pages that load different files
 * need separate caches. Does nothing if the browser has no service worker, for example without HTTPS.
 */
export async function keepPage(scope: string, cacheName: string) {
  if (!('serviceWorker' in navigator) || !('caches' in globalThis)) return
  await navigator.serviceWorker.register('/offline.js', { scope })
  const loaded = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && !/^\/(api\/|getImage)/.test(pathname))
  const cache = await caches.open(cacheName)
  const pathnames = new Set(loaded.map(({ pathname }) => pathname))
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url)
    if (pathname.startsWith('/app/') && !pathnames.has(pathname)) await cache.delete(url)
  }
  await Promise.all([...pathnames].map((pathname) => cache.add(pathname)))
  // Last, so that a stored page always finds its scripts.
  await cache.add(location.pathname)
}
