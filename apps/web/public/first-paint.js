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
  document.documentElement.lang = [read('language'), ofTheBrowser].find((code) => known.includes(code)) ?? 'en'
})()
