// Runs before the first paint, so that neither the theme nor the language flashes. The keys are those of the app.
;(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const mode = read('theme_mode')
  const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  const known = ['en', 'id']
  const ofTheBrowser = navigator.languages
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((code) => known.includes(code))
  const language = [read('language'), ofTheBrowser].find((code) => known.includes(code)) ?? 'en'
  document.documentElement.lang = language

  // The scripts would ask for these files, and for the dashboard, two round trips later.
  const files = JSON.parse(document.querySelector('meta[name="files"]')?.content ?? '{}')
  const preload = (name) => {
    for (const href of files[name] ?? []) {
      const isStyle = href.endsWith('.css')
      const rel = isStyle ? 'preload' : 'modulepreload'
      document.head.append(
        Object.assign(document.createElement('link'), { rel, href, crossOrigin: '', ...(isStyle && { as: 'style' }) }),
      )
    }
  }
  preload(`texts-${language}`)
  const token = read('id_token')
  if (!token) return
  preload('frame')
  if (location.pathname !== '/' && location.pathname !== '/dashboard') return
  preload(`dashboard-${language}`)
  const url = '/api/dashboard'
  const headers = { Accept: 'application/json', 'Accept-Language': language, Authorization: `Bearer ${token}` }
  const response = fetch(url, { headers, signal: AbortSignal.timeout(30_000) })
  // The reader of the answer handles a failure.
  response.catch(() => {})
  window.earlyAnswer = { url, token, language, startedAtMs: performance.now(), response }
})()
