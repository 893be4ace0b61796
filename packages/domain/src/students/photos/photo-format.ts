import { safeFileName } from '#domain/file-names.ts'

/** Sizes of printed portraits in centimetres, width × height. */
export const printedSizes = ['2x3cm', '3x4cm', '4x6cm'] as const
export const defaultPhotoSize: (typeof printedSizes)[number] = '3x4cm'

const dotsPerInch = 300
const cmPerInch = 2.54
const sidePixels = { least: 16, most: 2400 }

export type PhotoSize = { width: number; height: number }

/** Pixels of `3x4cm` at 300 dpi or of `600x800px`; undefined for other text, or a side outside 16 to 2,400 pixels. */
export function photoSizeOf(text: string): PhotoSize | undefined {
  const [, width, height, unit] = /^(\d{1,4})x(\d{1,4})(cm|px)$/.exec(text) ?? []
  if (!unit) return undefined
  const toPixels = (side: string | undefined) =>
    unit === 'px' ? Number(side) : Math.round((Number(side) / cmPerInch) * dotsPerInch)
  const size = { width: toPixels(width), height: toPixels(height) }
  const isPossible = (side: number) => side >= sidePixels.least && side <= sidePixels.most
  return isPossible(size.width) && isPossible(size.height) ? size : undefined
}

/** Backgrounds a university may require. */
export const backgrounds = ['red', 'blue', 'white'] as const
export const measuredBackgrounds = [...backgrounds, 'other', 'uneven', 'unreadable'] as const
export type MeasuredBackground = (typeof measuredBackgrounds)[number]

/** Whether a photo can be used; `unchecked`: its background has not been measured yet. */
export const photoStates = ['usable', 'missing', 'too_small', 'other_background', 'unchecked'] as const
export type PhotoState = (typeof photoStates)[number]

export const defaultNameTemplate = '{npm}_{nama}'
const tokens = ['npm', 'nama', 'kode', 'prodi', 'gelombang'] as const
export type NameToken = (typeof tokens)[number]

const token = /\{([^{}]*)\}/g

/** Placeholders of a name template without a value for photos, and unpaired braces. */
export const unknownTokens = (template: string): string[] => [
  ...[...template.matchAll(token)]
    .map(([, name]) => name!)
    .filter((name) => !(tokens as readonly string[]).includes(name)),
  ...(template.replace(token, '').match(/[{}]/g) ?? []),
]

/**
 * File name of a photo without extension: characters that file systems refuse become hyphens, spaces underscores. A
 * student without a number is named by the registration code.
 */
export function photoName(template: string, values: Record<NameToken, string | null>): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, token: NameToken) =>
    token === 'npm' ? (values.npm ?? values.kode ?? '') : (values[token] ?? ''),
  )
  const name = safeFileName(filled, { substitute: '-', maxLength: 120 }).replaceAll(' ', '_')
  return name || safeFileName(values.kode ?? '') || 'foto'
}
