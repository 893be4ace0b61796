import {
  type CSSVariablesResolver,
  createTheme,
  type DefaultMantineColor,
  defaultVariantColorsResolver,
  luminance,
  type MantineColorsTuple,
  type OptionsFilter,
  type VariantColorsResolver,
} from '@mantine/core'
import { colours, navigationConstants, primaryShades } from '#domain/navigation/constants.ts'
import { searchKeyOf } from '#domain/search/search-key.ts'

const dark: MantineColorsTuple = [
  '#E4E6EF',
  '#B5B5C3',
  '#A1A5B7',
  '#7E8299',
  '#383852',
  '#323248',
  '#2B2B40',
  colours.aside,
  '#181823',
  '#12121B',
]

const size = 'md'
/** Fields that differ from Mantine's only in size. */
const sizedFields = [
  'TextInput',
  'PasswordInput',
  'Autocomplete',
  'Checkbox',
  'Radio',
  'Switch',
  'DateTimePicker',
  'TimePicker',
]

/**
 * Text on filled primary buttons uses the ink. Unfilled delete buttons use a red with enough contrast on the cards of
 * both themes.
 */
const variantColorResolver: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input)
  if (input.variant === 'filled' && (input.color ?? input.theme.primaryColor) === input.theme.primaryColor)
    return { ...resolved, color: 'var(--pmb-ink)' }
  if (input.color !== 'red.9' || input.variant === 'filled') return resolved
  return { ...resolved, color: 'light-dark(var(--mantine-color-red-9), var(--mantine-color-red-4))' }
}

/** Mantine's own filter, except that it ignores accents and apostrophes, like the server's search. */
const filterOptions: OptionsFilter = ({ options, search, limit }) => {
  const key = searchKeyOf(search.trim())
  return options
    .flatMap((option): typeof options => {
      if (!('group' in option)) return searchKeyOf(option.label).includes(key) ? [option] : []
      return [{ ...option, items: option.items.filter(({ label }) => searchKeyOf(label).includes(key)) }]
    })
    .slice(0, limit)
}

const dropdown = { zIndex: navigationConstants.dropdownZIndex }
const dialog = { zIndex: navigationConstants.dialogZIndex }

const theme = createTheme({
  primaryColor: 'primary',
  variantColorResolver,
  colors: { primary: primaryShades, dark },
  primaryShade: { light: 7, dark: 7 },
  autoContrast: false,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.25rem' }, h3: { fontSize: '1rem' } },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.5rem', lg: '0.75rem', xl: '1rem' },
  shadows: { xs: '0 1px 2px rgb(24 24 35 / 8%)', sm: '0 1px 3px rgb(24 24 35 / 10%), 0 4px 16px rgb(24 24 35 / 5%)' },
  focusRing: 'auto',
  components: {
    // In a sentence, colour alone does not mark a link (WCAG 1.4.1).
    Anchor: { defaultProps: { underline: 'always' } },
    // Without an explicit variant these controls use white text instead of the ink.
    Button: { defaultProps: { size, variant: 'filled' } },
    ActionIcon: { defaultProps: { variant: 'filled' } },
    Badge: { defaultProps: { variant: 'filled' } },
    // Orange text on the light orange background has 3.6 : 1, below 4.5 : 1; the background marks the alert.
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } },
    ...Object.fromEntries(sizedFields.map((field) => [field, { defaultProps: { size } }])),
    Textarea: { defaultProps: { size, autosize: true, minRows: 3 } },
    NumberInput: { defaultProps: { size, thousandSeparator: '.', decimalSeparator: ',' } },
    // A select focused after a refusal would open its list over the error below the field.
    Select: { defaultProps: { size, openOnFocus: false, filter: filterOptions } },
    MultiSelect: { defaultProps: { size, filter: filterOptions } },
    DateInput: { defaultProps: { size, valueFormat: 'DD MMMM YYYY' } },
    DatePickerInput: { defaultProps: { size, valueFormat: 'DD MMMM YYYY' } },
    // Selects and date pickers open in a Popover.
    Popover: { defaultProps: dropdown },
    Combobox: { defaultProps: dropdown },
    // A click beside a dialog would discard its input.
    Modal: { defaultProps: { ...dialog, closeOnClickOutside: false } },
    ModalRoot: { defaultProps: dialog },
    Drawer: { defaultProps: dialog },
    // A header element inside a dialog would count as a second page banner.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    // The hidden placeholder Mantine adds for the focus is not allowed inside a menu, so the first entry takes the
    // focus.
    Menu: { defaultProps: { ...dropdown, withInitialFocusPlaceholder: false } },
    Loader: { defaultProps: { type: 'dots' } },
  },
})

/** Theme in the university's colour; without shades, in the product's. */
export const themeOf = (shades: readonly string[]) =>
  shades.length === 10
    ? { ...theme, colors: { ...theme.colors, primary: shades as unknown as MantineColorsTuple } }
    : theme

/**
 * Link colour in the dark theme: shade 5 if it has 4.5 : 1 on the lightest dark background (a selected row's),
 * otherwise shade 4.
 */
const onDark = (shades: MantineColorsTuple) => (luminance(shades[5]) > 0.291 ? shades[5] : shades[4])

/**
 * `inkOn` of the palette without its colour conversions, which would make the first page too large: both inks have
 * equal contrast at a luminance of 0.198.
 */
const inkOn = (fill: string) => (luminance(fill) > 0.198 ? colours.ink : '#FFFFFF')

/**
 * Shade 5 fills controls, whatever shade outlines and links use. With dark ink the hover colour is lighter, so that the
 * ink stays readable.
 */
const fillVariables = (shades: MantineColorsTuple) => ({
  '--mantine-color-primary-filled': shades[5],
  '--mantine-color-primary-filled-hover': inkOn(shades[5]) === colours.ink ? shades[4] : shades[6],
  '--mantine-primary-color-contrast': inkOn(shades[5]),
})

/** Mantine's own names include the university's colour, which `themeOf` always sets. */
declare module '@mantine/core' {
  export interface MantineThemeColorsOverride {
    colors: Record<DefaultMantineColor | 'primary', MantineColorsTuple>
  }
}

/** The product's own tokens, and replacements for Mantine colours below 4.5 : 1. */
export const cssVariables: CSSVariablesResolver = (theme) => ({
  variables: {
    '--pmb-aside': theme.colors.dark[7],
    '--pmb-aside-raised': '#2A2A3E',
    '--pmb-aside-text': '#C4C7D6',
    '--pmb-aside-strong': '#FFFFFF',
    '--pmb-accent': theme.colors.primary[5],
    '--pmb-ink': inkOn(theme.colors.primary[5]),
    '--input-height-touch': '44px',
  },
  light: {
    ...fillVariables(theme.colors.primary),
    '--mantine-color-body': '#FFFFFF',
    '--mantine-color-text': '#181C32',
    '--mantine-color-dimmed': '#5E6278',
    '--mantine-color-placeholder': '#6B6F86',
    '--mantine-color-anchor': theme.colors.primary[7],
    '--mantine-color-primary-text': theme.colors.primary[7],
    '--mantine-color-default-border': '#7F8399',
    '--mantine-color-error': '#C4183C',
    '--mantine-color-primary-light-color': theme.colors.primary[9],
    '--pmb-page': '#F5F6FA',
    '--pmb-card': '#FFFFFF',
    '--pmb-line': '#E1E3EA',
    '--pmb-tone-waiting': '#6B6F86',
    '--pmb-tone-progress': '#0074B8',
    '--pmb-tone-done': '#177A45',
    '--pmb-tone-attention': '#B45309',
    '--pmb-tone-stopped': '#C4183C',
  },
  dark: {
    ...fillVariables(theme.colors.primary),
    '--mantine-color-body': '#151521',
    '--mantine-color-text': '#E4E6EF',
    '--mantine-color-dimmed': '#A1A5B7',
    '--mantine-color-placeholder': '#9598AB',
    '--mantine-color-anchor': onDark(theme.colors.primary),
    '--mantine-color-primary-text': onDark(theme.colors.primary),
    '--mantine-color-default-border': '#84889F',
    '--mantine-color-default-hover': '#2D2D43',
    '--mantine-color-error': '#FF8A9C',
    '--mantine-color-primary-light-color': theme.colors.primary[3],
    '--pmb-page': '#151521',
    '--pmb-card': '#1E1E2D',
    '--pmb-line': '#323248',
    '--pmb-tone-waiting': '#A1A5B7',
    '--pmb-tone-progress': '#38B0F9',
    '--pmb-tone-done': '#4CCB86',
    '--pmb-tone-attention': '#FFB547',
    '--pmb-tone-stopped': '#FF8A9C',
  },
})
