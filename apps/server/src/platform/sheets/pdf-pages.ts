import zlib from 'node:zlib'
import PDFDocument from 'pdfkit'

export type Font = 'regular' | 'bold'

/** Codes of characters that WinAnsi (the fonts' encoding) has but Latin-1 lacks. */
const codesOfSigns: Record<string, number> = {
  '€': 0x80,
  '…': 0x85,
  '‘': 0x91,
  '’': 0x92,
  '“': 0x93,
  '”': 0x94,
  '•': 0x95,
  '–': 0x96,
  '—': 0x97,
}

/** Text in WinAnsi, one character per byte; characters the fonts lack become question marks. */
export const toPrintable = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7E\xA0-\xFF]/gu, (sign) => String.fromCharCode(codesOfSigns[sign] ?? 0x3f))

let widths: Record<Font, number[]> | undefined

/** Widths of every character of both fonts, in thousandths of the font size, measured once. */
function fontWidths() {
  if (widths) return widths
  const doc = new PDFDocument({ autoFirstPage: false })
  const codes = Object.fromEntries(Object.entries(codesOfSigns).map(([sign, code]) => [code, sign]))
  const measure = (name: string) => {
    doc.font(name).fontSize(1000)
    return Array.from({ length: 256 }, (_, code) => doc.widthOfString(codes[code] ?? String.fromCharCode(code)))
  }
  widths = { regular: measure('Helvetica'), bold: measure('Helvetica-Bold') }
  return widths
}

export function widthOf(text: string, size: number, font: Font = 'regular') {
  const charWidths = fontWidths()[font]
  let sum = 0
  for (let i = 0; i < text.length; i++) sum += charWidths[text.charCodeAt(i)]!
  return (sum * size) / 1000
}

/** Cuts text wider than `room` points and appends an ellipsis. */
export function fitText(text: string, room: number, size: number, font: Font = 'regular') {
  if (widthOf(text, size, font) <= room) return text
  const charWidths = fontWidths()[font]
  let roomLeft = (room * 1000) / size - charWidths[0x85]!
  let end = 0
  while (end < text.length && roomLeft >= charWidths[text.charCodeAt(end)]!)
    roomLeft -= charWidths[text.charCodeAt(end++)]!
  return `${text.slice(0, end).trimEnd()}\x85`
}

/** `#009ef7` as a PDF colour: three fractions of 1. */
const colour = (hex: string) =>
  [1, 3, 5].map((start) => (Number.parseInt(hex.slice(start, start + 2), 16) / 255).toFixed(3)).join(' ')

const coordinate = (value: number) => value.toFixed(2)

/** Collects a page's drawing operators; coordinates are points from its upper left corner. */
export function newCanvas(height: number) {
  let content = ''
  return {
    text(text: string, x: number, y: number, size: number, ink: string, font: Font = 'regular') {
      const safe = text.replace(/[\\()]/g, '\\$&')
      content += `BT /${font} ${size} Tf ${colour(ink)} rg ${coordinate(x)} ${coordinate(height - y - size * 0.8)} Td (${safe}) Tj ET\n`
    },
    line(x: number, y: number, width: number, thickness: number, ink: string) {
      content += `${colour(ink)} RG ${thickness} w ${coordinate(x)} ${coordinate(height - y)} m ${coordinate(x + width)} ${coordinate(height - y)} l S\n`
    },
    box(x: number, y: number, width: number, boxHeight: number, fill: string) {
      content += `${colour(fill)} rg ${coordinate(x)} ${coordinate(height - y - boxHeight)} ${coordinate(width)} ${coordinate(boxHeight)} re f\n`
    },
    logo(x: number, y: number, width: number, boxHeight: number) {
      content += `q ${coordinate(width)} 0 0 ${coordinate(boxHeight)} ${coordinate(x)} ${coordinate(height - y - boxHeight)} cm /logo Do Q\n`
    },
    content: () => content,
  }
}

export type Canvas = ReturnType<typeof newCanvas>
export type Jpeg = { bytes: Buffer; width: number; height: number }

/**
 * Writes a PDF page by page without keeping written pages in memory. PDFKit keeps its objects until the end, too many
 * for a thousand pages.
 */
export function newDocument({
  title,
  author,
  width,
  height,
  logo,
}: {
  title: string
  author: string
  width: number
  height: number
  logo?: Jpeg | undefined
}) {
  const offsets: number[] = []
  const pages: number[] = []
  let writtenBytes = 0
  let pieces: Buffer[] = []
  const push = (piece: string | Buffer) => {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece
    writtenBytes += bytes.length
    pieces.push(bytes)
  }
  /** Objects 1 to 6 belong to the document; pages get the numbers after them. */
  const [catalog, tree, regular, bold, info, picture] = [1, 2, 3, 4, 5, 6]
  let lastObject = 6
  const object = (number: number, body: string, stream?: Buffer) => {
    offsets[number] = writtenBytes
    push(`${number} 0 obj\n${body}\n`)
    if (stream) {
      push('stream\n')
      push(stream)
      push('\nendstream\n')
    }
    push('endobj\n')
  }
  const takeBytes = () => {
    const bytes = Buffer.concat(pieces)
    pieces = []
    return bytes
  }
  const literal = (text: string) => `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
  return {
    begin() {
      push('%PDF-1.4\n%\xE2\xE3\xCF\xD3\n')
      object(catalog, `<< /Type /Catalog /Pages ${tree} 0 R >>`)
      for (const [number, name] of [
        [regular, 'Helvetica'],
        [bold, 'Helvetica-Bold'],
      ] as const)
        object(number, `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`)
      object(info, `<< /Title ${literal(title)} /Author ${literal(author)} >>`)
      if (logo)
        object(
          picture,
          `<< /Type /XObject /Subtype /Image /Width ${logo.width} /Height ${logo.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${logo.bytes.length} >>`,
          logo.bytes,
        )
      return takeBytes()
    },
    page(canvas: Canvas) {
      const stream = zlib.deflateSync(Buffer.from(canvas.content(), 'latin1'), { level: 4 })
      const [content, page] = [lastObject + 1, lastObject + 2]
      lastObject += 2
      object(content, `<< /Length ${stream.length} /Filter /FlateDecode >>`, stream)
      object(
        page,
        `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${coordinate(width)} ${coordinate(height)}] /Contents ${content} 0 R /Resources << /Font << /regular ${regular} 0 R /bold ${bold} 0 R >>${logo ? ` /XObject << /logo ${picture} 0 R >>` : ''} >> >>`,
      )
      pages.push(page)
      return takeBytes()
    },
    end() {
      object(tree, `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] >>`)
      if (!logo) object(picture, 'null')
      const start = writtenBytes
      push(`xref\n0 ${lastObject + 1}\n0000000000 65535 f \n`)
      for (let number = 1; number <= lastObject; number++)
        push(`${String(offsets[number]).padStart(10, '0')} 00000 n \n`)
      push(
        `trailer\n<< /Size ${lastObject + 1} /Root ${catalog} 0 R /Info ${info} 0 R >>\nstartxref\n${start}\n%%EOF\n`,
      )
      return takeBytes()
    },
  }
}
