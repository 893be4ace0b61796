import { beforeEach, describe, expect, it, vi } from 'vitest'

const storage = new Map<string, string>()
beforeEach(() => {
  storage.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
  })
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
  vi.stubGlobal('location', { search: '' })
  vi.stubGlobal('navigator', { languages: ['de-DE', 'en-GB', 'id-ID'] })
  vi.resetModules()
})

describe('the language', () => {
  it('is English at first, and is remembered when changed', async () => {
    const { currentLanguage, i18n, setLanguage, startLanguage } = await import('./language.ts')
    await startLanguage()
    expect(currentLanguage()).toBe('en')
    expect(i18n.t('titles:sign-in')).toBe('Sign in')
    await setLanguage('id')
    expect(i18n.t('titles:sign-in')).toBe('Masuk')
    expect(storage.get('language')).toBe('id')
    expect(document.documentElement.lang).toBe('id')
  })

  it.each([
    [['id-ID', 'en-US'], 'Masuk'],
    [['jv', 'id', 'en'], 'Masuk'],
    [['en-US', 'id'], 'Sign in'],
    [['fr-FR'], 'Sign in'],
    [[], 'Sign in'],
  ])('starts as the language of a browser that prefers %j', async (languages, word) => {
    vi.stubGlobal('navigator', { languages })
    const { i18n, startLanguage } = await import('./language.ts')
    await startLanguage()
    expect(i18n.t('titles:sign-in')).toBe(word)
  })

  it.each([
    [['en-US', 'id-ID'], true],
    [['id'], true],
    [['en-US', 'in-MY'], false],
    [[], false],
  ])('offered beside the current one is Indonesian for a browser that prefers %j: %s', async (languages, offered) => {
    vi.stubGlobal('navigator', { languages })
    const { speaksIndonesian } = await import('./language.ts')
    expect(speaksIndonesian()).toBe(offered)
  })

  it("chosen by the reader outranks the browser's", async () => {
    vi.stubGlobal('navigator', { languages: ['id-ID'] })
    storage.set('language', 'en')
    const { i18n, startLanguage } = await import('./language.ts')
    await startLanguage()
    expect(i18n.t('titles:sign-in')).toBe('Sign in')
  })

  it('starts as it was left', async () => {
    storage.set('language', 'id')
    const { i18n, startLanguage } = await import('./language.ts')
    await startLanguage()
    expect(i18n.t('titles:sign-in')).toBe('Masuk')
  })

  it.each([
    ['?lang=id', 'Masuk'],
    ['?lang=xx', 'Sign in'],
  ])('of a mail continues on its page: %s', async (search, word) => {
    vi.stubGlobal('location', { search })
    const { i18n, startLanguage } = await import('./language.ts')
    await startLanguage()
    expect(i18n.t('titles:sign-in')).toBe(word)
  })

  it('loads a sentence missing in English from Indonesian', async () => {
    const { i18n, startLanguage } = await import('./language.ts')
    await startLanguage()
    delete (i18n.getResourceBundle('en', 'titles') as Record<string, string>)['sign-in']
    i18n.t('titles:sign-in')
    await vi.waitFor(() => expect(i18n.t('titles:sign-in')).toBe('Masuk'))
  })
})
