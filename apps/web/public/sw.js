// Service worker that keeps the app's shell: its page without personal data, and the files that this device has loaded.
// A later visit needs nothing of the network before the form, and opens without network. `app/keep-shell.ts` registers
// it and tells it what to keep. Calls of the API, pages drawn by the server and pages of `offline.js` pass by.
const start = 'shell:'
const shell = '/app/shell'
const pages =
  /^\/(|sign-in|sign-up|multi-step-sign-up|dashboard|konfirmasi-kelulusan|account(\/.*)?|pendaftaran(\/[^.]*)?)$/
/** Files whose address changes with their content. */
const files = /^\/app\/assets\//
const dayMs = 86_400_000

self.addEventListener('install', () => self.skipWaiting())

const shells = async () => (await caches.keys()).filter((name) => name.startsWith(start))
const forget = async (except) =>
  Promise.all((await shells()).filter((name) => name !== except).map((name) => caches.delete(name)))

async function newestShell() {
  for (const name of (await shells()).reverse()) {
    const cache = await caches.open(name)
    if (await cache.match(shell)) return cache
  }
  return undefined
}

async function addMissing(cache, addresses) {
  const missing = await Promise.all(addresses.map(async (file) => !(await cache.match(file, { ignoreVary: true }))))
  await cache.addAll(addresses.filter((_, index) => missing[index]))
}

/** Files that a page asks for at once, and those that `first-paint.js` asks for in the reader's language. */
function filesIn(html, language) {
  const named = JSON.parse(/<meta name="files" content='([^']*)'/.exec(html)?.[1] ?? '{}')
  const later = ['frame', 'sign-up', `texts-${language}`, `dashboard-${language}`].flatMap((name) => named[name] ?? [])
  const atOnce = [...html.matchAll(/(?:src|href)="(\/app\/[^"]+)"/g)].map(([, file]) => file)
  return [...new Set([...atOnce, ...later])].filter((file) => files.test(file))
}

/** Keeps the page the server has now. It is stored last, so that it never lacks a file, and replaces earlier ones. */
async function update(language) {
  const response = await fetch('/dashboard', { cache: 'no-cache' })
  if (!response.ok) return
  const html = await response.clone().text()
  const build = /<meta name="build" content="(\w+)"/.exec(html)?.[1]
  if (!build) return
  const cache = await caches.open(start + build)
  await addMissing(cache, filesIn(html, language))
  await cache.put(shell, response)
  await forget(start + build)
}

async function keep({ build, language, loaded }) {
  const name = start + build
  const page = (await caches.has(name)) && (await (await caches.open(name)).match(shell))
  // The page holds the university's name and colours: not older than a day.
  if (!page || Date.now() - Date.parse(page.headers.get('date') ?? '') > dayMs) await update(language)
  // The server may have a newer build by now.
  if (!(await caches.has(name))) return
  await addMissing(
    await caches.open(name),
    loaded.filter((file) => files.test(file)),
  )
}

const tasks = { keep, update: ({ language }) => update(language), forget: () => forget() }
self.addEventListener('message', (event) => {
  const { task, ...what } = event.data
  const done = (isDone) => event.ports[0]?.postMessage(isDone)
  event.waitUntil(
    tasks[task](what).then(
      () => done(true),
      () => done(false),
    ),
  )
})

/** A reload asks the network first, so that a reader can always get the newest page. */
async function openPage(request) {
  const cache = await newestShell()
  if (!cache) return fetch(request)
  const kept = await cache.match(shell)
  return request.cache === 'default' ? kept : fetch(request).catch(() => kept)
}

/** A file that no longer exists makes the next visit take the newest page. */
async function openFile(request) {
  const kept = await caches.match(request, { ignoreVary: true })
  if (kept) return kept
  const response = await fetch(request)
  if (response.status === 404) await forget()
  return response
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (pages.test(pathname)) event.respondWith(openPage(request))
  } else if (files.test(pathname)) event.respondWith(openFile(request))
})
