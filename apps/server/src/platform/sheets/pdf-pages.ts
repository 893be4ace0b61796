import zlib from 'node:zlib'
import PDFDocument from 'pdfkit'

export type Font = 'regular' | 'bold'

/** Signs of the fonts' own encoding that Latin-1 has elsewhere or not at all. */
const encoding: Record<string, number> = {
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

/** Text in the encoding of the standard fonts, one character per byte; what they cannot print becomes a question mark. */
export const printable = (text: string) =>
  text.replace(/\s+/g, ' ').replace(/[^\x20-\x7E\xA0-\xFF]/gu, (sign) => String.fromCharCode(encoding[sign] ?? 0x3f))

let widths: Record<Font, number[]> | undefined

/** Widths of every character of the two fonts, in thousandths of their size, measured once. */
function fontWidths() {
  if (widths) return widths
  const doc = new PDFDocument({ autoFirstPage: false })
  const codes = Object.fromEntries(Object.entries(encoding).map(([sign, code]) => [code, sign]))
  const measure = (name: string) => {
    doc.font(name).fontSize(1000)
    return Array.from({ length: 256 }, (_, code) => doc.widthOfString(codes[code] ?? String.fromCharCode(code)))
  }
  widths = { regular: measure('Helvetica'), bold: measure('Helvetica-Bold') }
  return widths
}

export function widthOf(text: string, size: number, font: Font = 'regular') {
  const table = fontWidths()[font]
  let sum = 0
  for (let i = 0; i < text.length; i++) sum += table[text.charCodeAt(i)]!
  return (sum * size) / 1000
}

/** Cuts what is too wide and says so with an ellipsis. */
export function fitted(text: string, room: number, size: number, font: Font = 'regular') {
  if (widthOf(text, size, font) <= room) return text
  const table = fontWidths()[font]
  let left = (room * 1000) / size - table[0x85]!
  let end = 0
  while (end < text.length && left >= table[text.charCodeAt(end)]!) left -= table[text.charCodeAt(end++)]!
  return `${text.slice(0, end).trimEnd()}\x85`
}

/** `#009ef7` as PDF writes colours. */
const colour = (hex: string) =>
  [1, 3, 5].map((at) => (Number.parseInt(hex.slice(at, at + 2), 16) / 255).toFixed(3)).join(' ')

const at = (value: number) => value.toFixed(2)

/** What is drawn on one page, measured from its upper left corner in points. */
export function newCanvas(height: number) {
  let content = ''
  return {
    text(text: string, x: number, y: number, size: number, ink: string, font: Font = 'regular') {
      const safe = text.replace(/[\\()]/g, '\\$&')
      content += `BT /${font} ${size} Tf ${colour(ink)} rg ${at(x)} ${at(height - y - size * 0.8)} Td (${safe}) Tj ET\n`
    },
    line(x: number, y: number, width: number, thickness: number, ink: string) {
      content += `${colour(ink)} RG ${thickness} w ${at(x)} ${at(height - y)} m ${at(x + width)} ${at(height - y)} l S\n`
    },
    box(x: number, y: number, width: number, tall: number, fill: string) {
      content += `${colour(fill)} rg ${at(x)} ${at(height - y - tall)} ${at(width)} ${at(tall)} re f\n`
    },
    logo(x: number, y: number, width: number, tall: number) {
      content += `q ${at(width)} 0 0 ${at(tall)} ${at(x)} ${at(height - y - tall)} cm /logo Do Q\n`
    },
    content: () => content,
  }
}

export type Canvas = ReturnType<typeof newCanvas>
export type Jpeg = { bytes: Buffer; width: number; height: number }

/**
 * A document written page after page: what was written is gone from memory, which a library that keeps its objects
 * until the end cannot do for a thousand pages.
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
  let written = 0
  let pending: Buffer[] = []
  const push = (piece: string | Buffer) => {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece
    written += bytes.length
    pending.push(bytes)
  }
  /** Numbers below seven are the document's own; the rest are handed out in turn. */
  const [catalog, tree, regular, bold, info, picture] = [1, 2, 3, 4, 5, 6]
  let last = 6
  const object = (number: number, body: string, stream?: Buffer) => {
    offsets[number] = written
    push(`${number} 0 obj\n${body}\n`)
    if (stream) {
      push('stream\n')
      push(stream)
      push('\nendstream\n')
    }
    push('endobj\n')
  }
  const taken = () => {
    const bytes = Buffer.concat(pending)
    pending = []
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
      return taken()
    },
    page(canvas: Canvas) {
      const stream = zlib.deflateSync(Buffer.from(canvas.content(), 'latin1'), { level: 4 })
      const [content, page] = [last + 1, last + 2]
      last += 2
      object(content, `<< /Length ${stream.length} /Filter /FlateDecode >>`, stream)
      object(
        page,
        `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${at(width)} ${at(height)}] /Contents ${content} 0 R /Resources << /Font << /regular ${regular} 0 R /bold ${bold} 0 R >>${logo ? ` /XObject << /logo ${picture} 0 R >>` : ''} >> >>`,
      )
      pages.push(page)
      return taken()
    },
    end() {
      object(tree, `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] >>`)
      if (!logo) object(picture, 'null')
      const start = written
      push(`xref\n0 ${last + 1}\n0000000000 65535 f \n`)
      for (let number = 1; number <= last; number++) push(`${String(offsets[number]).padStart(10, '0')} 00000 n \n`)
      push(`trailer\n<< /Size ${last + 1} /Root ${catalog} 0 R /Info ${info} 0 R >>\nstartxref\n${start}\n%%EOF\n`)
      return taken()
    },
  }
}
