import QRCode from 'qrcode'

/** A QR code as an SVG path, with one rectangle for each run of dark modules in a row. */
export function qrOf(text: string) {
  const { size, data } = QRCode.create(text, { errorCorrectionLevel: 'M' }).modules
  let path = ''
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const from = x
      while (x < size && data[y * size + x]) x++
      if (x > from) path += `M${from} ${y}h${x - from}v1h-${x - from}z`
    }
  return { size, path }
}
