// Service worker that keeps the app's shell: its page without personal data, and the files that this device has loaded.
// A later visit needs nothing of the network before the form, and opens without network. `app/keep-shell.ts` registers
// it and tells it what to keep. Calls of the API, pages drawn by the server and pages of `offline.js` pass by.
const start = 'shell:'
const shell = '/app/shell'
const pages =
  /^\/(|sign-in|sign-up|multi-step-sign-up|dashboard|konfirmasi-kelulusan|account(\/.*)?|pendaftaran(\/[^.]*)?)$/
/** Files whose address changes with their content. */
const files = /^\/app\/assets\//
const hourMs = 3_600_000
/** A kept page that is older is replaced behind the reader's back, whether or not it starts. */
const renewMs = 6 * hourMs
/** A kept page that is older waits for the network first, as does one that did not start when it was last opened. */
const dayMs = 24 * hourMs
const networkMs = 3_000

/** Language of the reader, and the build that was opened last and has not started since. */
const notes = 'shell-notes'
const readNotes = async () => (await (await caches.open(notes)).match('/app/notes'))?.json() ?? {}
async function note(what) {
  const all = { ...(await readNotes()), ...what }
  await (await caches.open(notes)).put('/app/notes', new Response(JSON.stringify(all)))
}

self.addEventListener('install', () => self.skipWaiting())

const shells = async () => (await caches.keys()).filter((name) => name.startsWith(start))
const forget = async (except) =>
  Promise.all((await shells()).filter((name) => name !== except).map((name) => caches.delete(name)))

const forgetAll = () => Promise.all([forget(), caches.delete(notes)])

async function newestShell() {
  for (const name of (await shells()).reverse()) {
    const page = await (await caches.open(name)).match(shell)
    if (page) return { name, page }
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
  await note({ language })
  const cache = await caches.open(start + build)
  await addMissing(cache, filesIn(html, language))
  await cache.put(shell, response)
  await forget(start + build)
}

const ageMsOf = (page) => Date.now() - Date.parse(page.headers.get('date') ?? '')

async function keep({ build, language, loaded }) {
  const name = start + build
  const page = (await caches.has(name)) && (await (await caches.open(name)).match(shell))
  // The page holds the university's name and colours: not older than a day.
  if (!page || !(ageMsOf(page) < dayMs)) await update(language)
  // The server may have a newer build by now.
  if (!(await caches.has(name))) return
  await addMissing(
    await caches.open(name),
    loaded.filter((file) => files.test(file)),
  )
}

/** The page says that its scripts run. */
async function started({ build }) {
  if ((await readNotes()).opened === start + build) await note({ opened: null })
}

const tasks = { keep, started, update: ({ language }) => update(language), forget: forgetAll }
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

/** The network's page; the kept one if the network or the server fails, or takes long. */
async function fromNetwork(request, page, waitMs) {
  const answer = fetch(request).then(
    (response) => (response.status >= 500 ? page : response),
    () => page,
  )
  if (!waitMs) return answer
  return Promise.race([answer, new Promise((resolve) => setTimeout(resolve, waitMs, page))])
}

/**
 * A reload asks the network first, so that a reader can always get the newest page. A kept page is also replaced from
 * here, because one that does not start asks for nothing.
 */
async function openPage(event) {
  const { request } = event
  const kept = await newestShell()
  if (!kept) return fetch(request)
  const { name, page } = kept
  const { opened, language } = await readNotes()
  const hasFailed = opened === name
  const ageMs = ageMsOf(page)
  if (hasFailed || !(ageMs < renewMs)) event.waitUntil(update(language).catch(() => {}))
  if (request.cache !== 'default') return fromNetwork(request, page)
  if (hasFailed || !(ageMs < dayMs)) return fromNetwork(request, page, networkMs)
  await note({ opened: name }).catch(() => {})
  return page
}

/** A file that no longer exists makes the next visit take the newest page. */
async function openFile(request) {
  const kept = await caches.match(request, { ignoreVary: true })
  if (kept) return kept
  const response = await fetch(request)
  if (response.status === 404) await forgetAll()
  return response
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (pages.test(pathname)) event.respondWith(openPage(event))
  } else if (files.test(pathname)) event.respondWith(openFile(request))
})
