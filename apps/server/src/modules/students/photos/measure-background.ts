import type { MeasuredBackground } from '#domain/students/photos/photo-format.ts'

const side = { width: 60, height: 80 }
/** Areas beside the head, as shares of the picture: height from the top, width from either side. */
const area = { height: 0.4, margin: 0.2 }
/** Largest RGB distance at which two colours count as equal. */
const sameColour = 48
/** Least share of the pixels beside the head that must have the background's colour. */
const evenShare = 0.75

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!

/** Name of an RGB colour. */
function nameOf([red, green, blue]: readonly [number, number, number]): MeasuredBackground {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const spread = most - least
  if (least >= 195 && spread <= 30) return 'white'
  if (most === 0 || spread / most < 0.35) return 'other'
  const hue =
    60 *
    (most === red
      ? ((green - blue) / spread + 6) % 6
      : most === green
        ? (blue - red) / spread + 2
        : (red - green) / spread + 4)
  if (hue <= 20 || hue >= 340) return 'red'
  return hue >= 190 && hue <= 260 ? 'blue' : 'other'
}

/**
 * Background of a portrait: the colour of most pixels beside the head, or `uneven` if they differ. Accepts any size.
 * Run it in the picture pool.
 */
export async function measureBackground(bytes: Buffer): Promise<MeasuredBackground> {
  const { default: sharp } = await import('sharp')
  let pixels: Buffer
  try {
    pixels = await sharp(bytes)
      .resize({ ...side, fit: 'fill' })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer()
  } catch {
    return 'unreadable'
  }
  const beside: [number, number, number][] = []
  for (let y = 0; y < side.height * area.height; y++)
    for (let x = 0; x < side.width; x++) {
      if (x >= side.width * area.margin && x < side.width * (1 - area.margin)) continue
      const at = (y * side.width + x) * 3
      beside.push([pixels.readUInt8(at), pixels.readUInt8(at + 1), pixels.readUInt8(at + 2)])
    }
  const red = median(beside.map(([value]) => value))
  const green = median(beside.map(([, value]) => value))
  const blue = median(beside.map(([, , value]) => value))
  const like = beside.filter(([r, g, b]) => Math.hypot(r - red, g - green, b - blue) <= sameColour)
  return like.length / beside.length < evenShare ? 'uneven' : nameOf([red, green, blue])
}
