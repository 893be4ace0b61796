// Runs before the first paint, so that neither the theme nor the language flashes. The keys are those of the app.
;(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const keepsForTab = () => {
    try {
      return sessionStorage.getItem('lead') ?? /:"[^"]/.test(sessionStorage.getItem('sign-up'))
    } catch {
      return false
    }
  }
  const mode = read('theme_mode')
  const dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  const known = ['en', 'id']
  const ofTheBrowser = navigator.languages
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((code) => known.includes(code))
  const ofTheLink = new URLSearchParams(location.search).get('lang')
  const language = [ofTheLink, read('language'), ofTheBrowser].find((code) => known.includes(code)) ?? 'en'
  const isDrawnInLanguage = document.documentElement.lang === language
  document.documentElement.lang = language

  // The page may answer a form with a password, which Back and Reload would send again. Now they only ask for the page.
  const { pathname } = location
  if (pathname === '/sign-in' || pathname === '/sign-up') history.replaceState(history.state, '', location.href)

  // Answer to a sign-in form that was sent before the app was there.
  const signedIn = document.querySelector('meta[name="signed-in"]')
  if (signedIn) {
    signedIn.remove()
    try {
      for (const key of ['profile_user', 'menus', 'permissions', 'own_token']) localStorage.removeItem(key)
      localStorage.setItem('id_token', signedIn.content)
    } catch {
      // Without storage there are no sessions.
    }
  }
  const token = read('id_token')

  const load = (href) => {
    const isStyle = href.endsWith('.css')
    const rel = isStyle ? 'preload' : 'modulepreload'
    document.head.append(
      Object.assign(document.createElement('link'), { rel, href, crossOrigin: '', ...(isStyle && { as: 'style' }) }),
    )
  }

  // The scripts would ask for these files, and for the dashboard, two round trips later.
  const files = JSON.parse(document.querySelector('meta[name="files"]')?.content ?? '{}')
  const preload = (name) => (files[name] ?? []).forEach(load)

  // The page may hold a form that works without the app. On a slow line the app comes once the reader touches the page.
  const app = JSON.parse(document.querySelector('meta[name="app"]')?.content ?? 'null')
  const loadApp = () => {
    preload(`texts-${language}`)
    for (const href of app?.splice(1) ?? []) load(href)
    if (app)
      document.head.append(
        Object.assign(document.createElement('script'), { type: 'module', src: app[0], crossOrigin: '' }),
      )
  }
  // Only the app sends an affiliate, a lead or a choice that this device has kept, and restores what was typed.
  const keeps = pathname === '/sign-up' && (read('referral') || read('arrival') || keepsForTab())
  const isFormShown = app && !token && isDrawnInLanguage && !keeps
  const { saveData, effectiveType } = navigator.connection ?? {}
  if (isFormShown && (saveData || /[23]g$/.test(effectiveType))) {
    let isLoading = false
    const loadOnce = () => {
      if (isLoading) return
      isLoading = true
      loadApp()
      if (pathname === '/sign-up') return preload('sign-up')
      // For the page after sign-in, while the reader types.
      preload('frame')
      preload(`dashboard-${language}`)
    }
    for (const touch of ['pointerdown', 'keydown', 'focusin'])
      addEventListener(touch, loadOnce, { capture: true, passive: true, once: true })
    return
  }
  document.documentElement.toggleAttribute('data-app-only', Boolean(app) && !isFormShown)
  loadApp()
  if (pathname === '/sign-up' && !token) preload('sign-up')
  if (!token) return
  preload('frame')
  if (signedIn ? pathname === '/sign-up' : pathname !== '/' && pathname !== '/dashboard') return
  preload(`dashboard-${language}`)
  const url = '/api/dashboard'
  const headers = { Accept: 'application/json', 'Accept-Language': language, Authorization: `Bearer ${token}` }
  const response = fetch(url, { headers, signal: AbortSignal.timeout(30_000) })
  // The reader of the answer handles a failure.
  response.catch(() => {})
  window.earlyAnswer = { url, token, language, startedAtMs: performance.now(), response }
})()
