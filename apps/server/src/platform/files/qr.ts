import QRCode from 'qrcode'

type Run = { x: number; y: number; length: number }

/** Dark modules of a QR code as horizontal runs: far smaller to draw than single modules. */
export function qrRuns(text: string): { size: number; runs: Run[] } {
  // Always byte mode: searching for shorter encodings takes as long as everything else and finds none for addresses.
  const { size, data } = QRCode.create([{ data: Buffer.from(text), mode: 'byte' }], {
    errorCorrectionLevel: 'M',
  }).modules
  const runs: Run[] = []
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const from = x
      while (x < size && data[y * size + x]) x++
      if (x > from) runs.push({ x: from, y, length: x - from })
    }
  return { size, runs }
}

/** QR code as an SVG path, with one rectangle per run of dark modules in a row. */
export function qrOf(text: string) {
  const { size, runs } = qrRuns(text)
  return { size, path: runs.map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`).join('') }
}
