import fs from 'node:fs'
import path from 'node:path'
import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core'
import { describe, expect, it } from 'vitest'
import { colours, navigationConstants } from '#domain/navigation/constants.ts'
import { contrast, inkOn, paletteOf } from '#domain/settings/palette.ts'
import { cssVariables, themeOf } from '#web/shell/theme.ts'

const theme = (shades: readonly string[] = []) => mergeMantineTheme(DEFAULT_THEME, themeOf(shades))
const resolved = (shades?: readonly string[]) => cssVariables(theme(shades))
const filledButton = (color?: string) => {
  const mantineTheme = theme()
  return mantineTheme.variantColorResolver({
    color: color ?? mantineTheme.primaryColor,
    theme: mantineTheme,
    variant: 'filled',
  })
}

describe('“Primary colour #009EF7; aside dark, fixed, minimizable.”', () => {
  it('fills buttons, active marks and progress with #009EF7 in both themes', () => {
    const { variables, light, dark } = resolved()
    expect(variables['--pmb-accent']).toBe('#009EF7')
    for (const scheme of [light, dark]) expect(scheme['--mantine-color-primary-filled']).toBe('#009EF7')
    expect(filledButton().background).toBe('var(--mantine-color-primary-filled)')
  })

  it('has dark ink on it, above 6 : 1, where white has less than 3 : 1', () => {
    expect(filledButton().color).toBe('var(--pmb-ink)')
    expect(resolved().variables['--pmb-ink']).toBe('#00182B')
    expect(contrast(colours.ink, colours.primary)).toBeGreaterThan(6)
    expect(contrast('#FFFFFF', colours.primary)).toBeLessThan(3)
    expect(filledButton('red.9').color).toBe('var(--mantine-color-white)')
  })

  it.each(['Button', 'ActionIcon', 'Badge'])('%s is filled by name, since it takes white without one', (name) => {
    expect(theme().components[name]?.defaultProps).toMatchObject({ variant: 'filled' })
  })

  it('uses a darker shade for links and outlined text on white, and itself as link colour in the dark theme', () => {
    const { light, dark } = resolved()
    expect(light['--mantine-color-anchor']).toBe('#0074B8')
    expect(contrast('#0074B8', '#FFFFFF')).toBeGreaterThan(4.5)
    expect(dark['--mantine-color-anchor']).toBe('#009EF7')
    for (const ground of ['#151521', colours.aside, '#2B2B40', resolved().dark['--mantine-color-default-hover']!])
      expect(contrast('#009EF7', ground)).toBeGreaterThan(4.5)
    expect(theme().primaryShade).toEqual({ light: 7, dark: 7 })
  })

  it('has the sidebar colour #1E1E2D in both themes', () => {
    expect(resolved().variables['--pmb-aside']).toBe('#1E1E2D')
    expect(contrast(resolved().variables['--pmb-aside-text']!, colours.aside)).toBeGreaterThan(4.5)
  })

  it.each(['#003366', '#FFD500', '#E4002B', '#7A1FA2', '#00A651', '#808000', '#5B7F95'])(
    'in a university’s own %s the words on buttons and the links can be read',
    (hex) => {
      const { shades } = paletteOf(hex)
      const { variables, light, dark } = resolved(shades)
      expect(contrast(variables['--pmb-ink']!, light['--mantine-color-primary-filled']!)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(variables['--pmb-ink']!, light['--mantine-color-primary-filled-hover']!)).toBeGreaterThanOrEqual(
        4.5,
      )
      expect(inkOn(shades[5]!)).toBe(variables['--pmb-ink'])
      expect(contrast(light['--mantine-color-anchor']!, '#FFFFFF')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(dark['--mantine-color-anchor']!, colours.aside)).toBeGreaterThanOrEqual(4.5)
    },
  )
})

describe('borders of fields and boxes', () => {
  it('have 3 : 1 against every background they appear on', () => {
    const { light, dark } = resolved()
    for (const ground of ['#FFFFFF', '#F5F6FA'])
      expect(contrast(light['--mantine-color-default-border']!, ground)).toBeGreaterThan(3)
    for (const ground of ['#151521', colours.aside, '#2B2B40'])
      expect(contrast(dark['--mantine-color-default-border']!, ground)).toBeGreaterThan(3)
  })
})

describe('“dropdown z-index 105”', () => {
  it.each(['Popover', 'Combobox', 'Menu'])('%s, in which selects, date pickers and menus open, lies at 105', (name) => {
    expect(theme().components[name]?.defaultProps).toMatchObject({ zIndex: 105 })
  })

  it.each(['Modal', 'Drawer'])('%s lies below, so that a select inside it opens above', (name) => {
    expect(theme().components[name]?.defaultProps.zIndex).toBeLessThan(navigationConstants.dropdownZIndex)
    expect(theme().components[name]?.defaultProps.zIndex).toBeGreaterThan(101)
  })

  it('the connection notice lies above the header and covers no dialog', () => {
    const css = fs.readFileSync(path.join(import.meta.dirname, 'frame.module.css'), 'utf8')
    const zIndex = Number(/z-index: (\d+)/.exec(css)?.[1])
    expect(zIndex).toBeLessThan(navigationConstants.dialogZIndex)
    expect(zIndex).toBeGreaterThan(101)
  })
})
