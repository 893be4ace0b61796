import { colours, primaryShades } from '#domain/navigation/constants.ts'

type Rgb = [red: number, green: number, blue: number]

export const colourPattern = /^#[0-9A-Fa-f]{6}$/

const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb
const hexOf = (rgb: Rgb) =>
  `#${rgb
    .map((part) =>
      Math.round(Math.min(255, Math.max(0, part)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`.toUpperCase()

const linear = (part: number) => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** Relative luminance as WCAG defines it. */
const luminance = (hex: string) => {
  const [red, green, blue] = rgbOf(hex).map(linear) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** How well two colours tell apart: 1 is not at all, 21 is black on white. */
export function contrast(one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** Part of the way from one colour to another. */
const mix = (from: string, to: string, share: number) => {
  const [a, b] = [rgbOf(from), rgbOf(to)]
  return hexOf(a.map((part, index) => part + (b[index]! - part) * share) as Rgb)
}

const white = '#FFFFFF'
const black = '#000000'
const readable = 4.5
const visible = 3

/** Text and icons on a filled button: dark ink or white, whichever reads better. */
export const inkOn = (filled: string): string =>
  contrast(colours.ink, filled) >= contrast(white, filled) ? colours.ink : white

/** Moves a colour towards another until it passes. */
function untilPasses(from: string, towards: string, passes: (made: string) => boolean) {
  for (let share = 0; share <= 1; share += 0.02) {
    const made = mix(from, towards, share)
    if (passes(made)) return made
  }
  return towards
}

/** Moves a colour towards another until it stands out from the background enough. */
const until = (from: string, towards: string, background: string, ratio: number) =>
  untilPasses(from, towards, (made) => contrast(made, background) >= ratio)

export type Palette = {
  /** From lightest to darkest: 4 is text on dark, 5 fills buttons and marks, 7 is text and outlines on white. */
  shades: string[]
  /** The ink of filled buttons on the shade that fills them. */
  buttons: number
  /** The accent on the dark aside. */
  onAside: number
  /** Text of the colour in the dark theme. */
  onDark: number
}

/** Shades of a colour that keep to the contrasts of WCAG wherever the product uses them. */
export function paletteOf(hex: string): Palette {
  const given = hex.toUpperCase()
  const accent = untilPasses(
    given,
    white,
    (made) => contrast(made, colours.aside) >= visible && contrast(made, inkOn(made)) >= readable,
  )
  const filled = until(given, black, white, readable + 0.3)
  const light = until(accent, white, colours.aside, readable + 0.5)
  const shades =
    given === colours.primary
      ? [...primaryShades]
      : [
          mix(given, white, 0.92),
          mix(given, white, 0.82),
          mix(given, white, 0.63),
          mix(light, white, 0.35),
          light,
          accent,
          mix(accent, filled, 0.5),
          filled,
          mix(filled, black, 0.2),
          mix(filled, black, 0.4),
        ]
  return {
    shades,
    buttons: contrast(shades[5]!, inkOn(shades[5]!)),
    onAside: contrast(shades[5]!, colours.aside),
    onDark: contrast(shades[4]!, colours.aside),
  }
}

/** Nearly white, nearly black and grey give no accent that could be told from the rest of the page. */
export function isUsableColour(hex: string): boolean {
  const [red, green, blue] = rgbOf(hex)
  return contrast(hex, white) >= 1.2 && Math.max(red, green, blue) - Math.min(red, green, blue) >= 32
}
