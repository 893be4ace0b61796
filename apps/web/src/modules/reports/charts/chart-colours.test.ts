import fs from 'node:fs'
import { describe, expect, it } from 'vitest'

const sheet = fs.readFileSync(new URL('./report-chart.module.css', import.meta.url), 'utf8')
const [light = '', dark = ''] = sheet.split(":global([data-mantine-color-scheme='dark'])")
const coloursIn = (css: string) => [...css.matchAll(/--chart-\d: (#\w{6})/g)].map(([, colour]) => colour!)
const themes = [
  { theme: 'light', card: '#ffffff', colours: coloursIn(light) },
  { theme: 'dark', card: '#1e1e2d', colours: coloursIn(dark) },
]

type Triple = [number, number, number]
/** Linear light of red, green and blue. */
const lightOf = (colour: string) =>
  [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Triple
const luminance = ([red, green, blue]: Triple) => 0.2126 * red + 0.7152 * green + 0.0722 * blue
function contrast(one: string, other: string) {
  const [low, high] = [luminance(lightOf(one)), luminance(lightOf(other))].toSorted((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** Linear light as seen by eyes without one kind of cones (Machado, Oliveira and Fernandes, 2009). */
const eyes: Record<string, readonly Triple[]> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}
const seenBy = (eye: readonly Triple[], light: Triple) =>
  eye.map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        row.reduce((sum, factor, index) => sum + factor * light[index]!, 0),
      ),
    ),
  ) as Triple
/** CIELAB, in which a distance of about 2 is just visible. */
function labOf([red, green, blue]: Triple): Triple {
  const root = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116)
  const x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047)
  const y = root(0.2126 * red + 0.7152 * green + 0.0722 * blue)
  const z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}
const distance = (one: Triple, other: Triple) => Math.hypot(...one.map((value, index) => value - other[index]!))
const pairsOf = (colours: readonly string[]) =>
  colours.flatMap((one, index) => colours.slice(index + 1).map((other) => [one, other] as const))

describe.each(themes)('the colours of charts in $theme theme', ({ card, colours }) => {
  it('are six, each with 3 : 1 against the card', () => {
    expect(colours).toHaveLength(6)
    for (const colour of colours) expect(contrast(colour, card), colour).toBeGreaterThanOrEqual(3)
  })

  it('differ in lightness, for greyscale prints', () => {
    for (const [one, other] of pairsOf(colours)) expect(contrast(one, other), `${one} ${other}`).toBeGreaterThan(1.15)
  })

  it.each(Object.keys(eyes))('differ for readers with %s', (name) => {
    for (const [one, other] of pairsOf(colours)) {
      const [seenOne, seenOther] = [one, other].map((colour) => labOf(seenBy(eyes[name]!, lightOf(colour)))) as [
        Triple,
        Triple,
      ]
      expect(distance(seenOne, seenOther), `${one} ${other}`).toBeGreaterThan(13)
    }
  })
})
