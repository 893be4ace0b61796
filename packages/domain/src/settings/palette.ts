import { colours, primaryShades } from '#domain/navigation/constants.ts'

/** Ten shades of one colour, from light to dark. */
export type Shades = readonly [string, string, string, string, string, string, string, string, string, string]
type Rgb = [red: number, green: number, blue: number]

export const colourPattern = /^#[0-9A-Fa-f]{6}$/

const rgbOf = (hex: string): Rgb => [1, 3, 5].map((offset) => Number.parseInt(hex.slice(offset, offset + 2), 16)) as Rgb
const hexOf = (rgb: Rgb) =>
  `#${rgb
    .map((part) =>
      Math.round(Math.min(255, Math.max(0, part)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`.toUpperCase()

const linearize = (part: number) => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** WCAG relative luminance. */
const luminance = (hex: string) => {
  const [red, green, blue] = rgbOf(hex).map(linearize) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG contrast ratio: 1 for equal colours, 21 for black on white. */
export function contrast(first: string, second: string): number {
  const [lighter, darker] = [luminance(first), luminance(second)].sort((a, b) => b - a) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** Mixes two colours; `share` 0 is the first, 1 the second. */
const mix = (start: string, end: string, share: number) => {
  const [red, green, blue] = rgbOf(start)
  const [endRed, endGreen, endBlue] = rgbOf(end)
  const between = (from: number, to: number) => from + (to - from) * share
  return hexOf([between(red, endRed), between(green, endGreen), between(blue, endBlue)])
}

const white = '#FFFFFF'
const black = '#000000'
const textContrast = 4.5
const markContrast = 3

/** Text and icon colour on a filled button: ink or white, whichever has the higher contrast. */
export const inkOn = (background: string): string =>
  contrast(colours.ink, background) >= contrast(white, background) ? colours.ink : white

/** Mixes a colour towards the target in steps of 2 % until it passes. */
function mixUntil(start: string, target: string, passes: (colour: string) => boolean) {
  for (let share = 0; share <= 1; share += 0.02) {
    const colour = mix(start, target, share)
    if (passes(colour)) return colour
  }
  return target
}

/** Mixes a colour towards the target until it reaches the contrast with the background. */
const mixUntilContrast = (start: string, target: string, background: string, ratio: number) =>
  mixUntil(start, target, (colour) => contrast(colour, background) >= ratio)

export type Palette = {
  /** From lightest to darkest: 4 is text on dark, 5 fills buttons and marks, 7 is text and outlines on white. */
  shades: Shades
  /** Contrast of a filled button's text with its fill. */
  buttons: number
  /** Contrast of the accent with the dark sidebar. */
  onAside: number
  /** Contrast of text in this colour with the dark theme. */
  onDark: number
}

/** Shades of a colour that reach WCAG contrast wherever the product uses them. */
export function paletteOf(hex: string): Palette {
  const base = hex.toUpperCase()
  const accent = mixUntil(
    base,
    white,
    (colour) => contrast(colour, colours.aside) >= markContrast && contrast(colour, inkOn(colour)) >= textContrast,
  )
  const fill = mixUntilContrast(base, black, white, textContrast + 0.3)
  const lightAccent = mixUntilContrast(accent, white, colours.aside, textContrast + 0.5)
  const shades: Shades =
    base === colours.primary
      ? primaryShades
      : [
          mix(base, white, 0.92),
          mix(base, white, 0.82),
          mix(base, white, 0.63),
          mix(lightAccent, white, 0.35),
          lightAccent,
          accent,
          mix(accent, fill, 0.5),
          fill,
          mix(fill, black, 0.2),
          mix(fill, black, 0.4),
        ]
  return {
    shades,
    buttons: contrast(shades[5], inkOn(shades[5])),
    onAside: contrast(shades[5], colours.aside),
    onDark: contrast(shades[4], colours.aside),
  }
}

/** Refuses nearly white, nearly black and grey colours: they would not be visible as an accent. */
export function isUsableColour(hex: string): boolean {
  const [red, green, blue] = rgbOf(hex)
  return contrast(hex, white) >= 1.2 && Math.max(red, green, blue) - Math.min(red, green, blue) >= 32
}
