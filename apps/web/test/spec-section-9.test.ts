import fs from 'node:fs'
import path from 'node:path'
import dayjs from 'dayjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { passwordMinimum } from '#domain/accounts/password.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { settingsSchema } from '#domain/settings/settings.ts'
import { languages } from '#entities/define/language.ts'
import { dateTime, longDate, monthsFor, percent, rupiah, setMonthNames, shortDate } from '#locales/format.ts'
import { dateLocaleFor } from '#web/shell/date-locale.ts'
import { onSettledMedia } from '#web/ui/use-settled-media.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const sourcesOf = (folder: string) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file))
    .map((file) => [`${folder}/${file}`, fs.readFileSync(path.join(root, folder, file), 'utf8')] as const)

afterEach(() => {
  setMonthNames('indonesian')
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('"Currency uses Indonesian number format; month names in Indonesian; percentages to 2 decimals"', () => {
  it('groups rupiah with dots', () => expect(rupiah(12_500_000)).toBe('Rp\u00a012.500.000'))

  it.each(languages)('writes months in Indonesian for a reader of %s', (language) => {
    expect(longDate('2026-08-17', language)).toBe('17 Agustus 2026')
    expect(shortDate('2026-12-01', language)).toBe('01 Des 2026')
    expect(dateTime('2026-05-02T03:00:00Z', language)).toBe('02 Mei 2026, 10.00')
    expect(monthsFor(language, 'long')[9]).toBe('Oktober')
    expect(dayjs('2026-08-17').locale(dateLocaleFor(language)).format('DD MMMM YYYY')).toBe('17 Agustus 2026')
  })

  it('follows the language of the interface where the university configures that', () => {
    expect(settingsSchema.parse({}).monthNames).toBe('indonesian')
    setMonthNames(settingsSchema.parse({ monthNames: 'interface' }).monthNames)
    expect(longDate('2026-08-17', 'en')).toBe('17 August 2026')
    expect(longDate('2026-08-17', 'id')).toBe('17 Agustus 2026')
    expect(dayjs('2026-08-17').locale(dateLocaleFor('en')).format('MMMM')).toBe('August')
  })

  it('makes month names in one place only', () => {
    const makers = [...sourcesOf('apps/web/src'), ...sourcesOf('apps/server/src')].filter(([, text]) =>
      /month: *'(long|short)'/.test(text.replace(/monthsFor\([^)]*\)/g, '')),
    )
    expect(makers.map(([file]) => file)).toEqual([])
  })

  it('writes two decimals', () => {
    expect(percent(0.5)).toBe('50,00%')
    expect(percent(0.12345)).toBe('12,35%')
    expect(percent(1)).toBe('100,00%')
  })

  // Formats read by machines keep the plain form: widths of a style sheet, and sheets that a spreadsheet opens again.
  const machineFormat =
    /width|height|%%EOF|--[a-z-]+:|inset|like|escaped\(|sheets\/(csv-writer|xlsx)|find-accounts|list-query/i
  it('writes every percentage with it', () => {
    const byHand = [...sourcesOf('apps/web/src'), ...sourcesOf('apps/server/src/modules')].flatMap(([file, text]) =>
      text
        .split('\n')
        .filter((line) => /\} ?%[`'<\s]/.test(line) && !machineFormat.test(line) && !machineFormat.test(file))
        .map((line) => `${file}: ${line.trim()}`),
    )
    expect(byHand).toEqual([])
    for (const [file, text] of sourcesOf('packages/locales/src'))
      expect(/\{\{\w+\}\} ?%/.exec(text)?.[0], file).toBeUndefined()
  })
})

describe('"Resize debounce 200 ms"', () => {
  it('lays the page out once, 200 ms after the last change of width', () => {
    vi.useFakeTimers()
    let change = () => {}
    const media = {
      matches: true,
      addEventListener: (_: string, listener: () => void) => (change = listener),
      removeEventListener: () => {},
    }
    vi.stubGlobal('matchMedia', () => media)
    const onSettled = vi.fn()
    const end = onSettledMedia('(max-width: 48em)', onSettled)
    for (let moves = 0; moves < 5; moves++) {
      change()
      vi.advanceTimersByTime(150)
    }
    expect(onSettled).not.toHaveBeenCalled()
    vi.advanceTimersByTime(50)
    expect(onSettled).toHaveBeenCalledExactlyOnceWith(true)
    change()
    end()
    vi.advanceTimersByTime(1_000)
    expect(onSettled).toHaveBeenCalledOnce()
  })

  it('no page observes its width in another way', () => {
    const otherWays = sourcesOf('apps/web/src').filter(([, text]) =>
      /useMediaQuery|useViewportSize|addEventListener\('resize'/.test(text),
    )
    expect(otherWays.map(([file]) => file)).toEqual([])
  })
})

describe('"menu hover timeout 200 ms; accordion slide 250 ms; theme switching flag 300 ms; … scroll-top offset 200 and speed 600; search minimum length 2; stepper start index 1"', () => {
  const expectedConstants = {
    resizeDebounce: 200,
    menuHoverTimeout: 200,
    accordionSlide: 250,
    themeSwitching: 300,
    scrollTopOffset: 200,
    scrollTopSpeed: 600,
    searchMinimumLength: 2,
    stepperStartIndex: 1,
    chunkLoadTimeout: 120_000,
  } as const
  const web = sourcesOf('apps/web/src')
  it.each(Object.entries(expectedConstants))('%s is %i and used', (name, value) => {
    expect(navigationConstants[name as keyof typeof expectedConstants]).toBe(value)
    expect(
      web.some(([, text]) => text.includes(`navigationConstants.${name}`)),
      name,
    ).toBe(true)
  })
})

describe('"Password minimum length 8"', () => {
  it('is the rule of the form and the server', () => expect(passwordMinimum).toBe(8))
})
