// Service worker of pages that work without network. The network answers first; what `offline/keep-page.ts` stored is
// served only if there is none. Calls of the API are left to the page.
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || /^\/(api\/|getImage)/.test(pathname)) return
  event.respondWith(
    fetch(request).catch(async (error) => {
      const stored = await caches.match(pathname, { ignoreVary: true })
      if (stored) return stored
      throw error
    }),
  )
})
