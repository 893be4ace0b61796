import { newCanvas } from '#web/ui/canvas.ts'
import type { Series } from './chart-data.ts'

type Options = { title: string; file: string; format: 'png' | 'svg'; series: readonly Series[] }

const titlePx = 18
const titleRowPx = 24
const legendPx = 14
const marginPx = 16
/** PNG pixels per screen pixel: sharp on paper. */
const pngScale = 2

/** Style properties that come from style sheets, which a file does not have. */
const drawnProperties = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-size',
  'font-family',
  'text-anchor',
]
const namespace = 'http://www.w3.org/2000/svg'

/** Saves a drawn chart with title and legend as a file, in the current theme's colours. */
export async function saveChart(svg: SVGSVGElement, { title, file, format, series }: Options): Promise<void> {
  const drawing = standAlone(svg, title, series)
  const text = new XMLSerializer().serializeToString(drawing)
  const vector = new Blob([text], { type: 'image/svg+xml' })
  download(format === 'svg' ? vector : await toPng(vector, drawing), `${file}.${format}`)
}

function standAlone(svg: SVGSVGElement, title: string, series: readonly Series[]) {
  const { width, height } = svg.getBoundingClientRect()
  const style = getComputedStyle(svg)
  const ink = { fill: style.color, 'font-family': style.fontFamily }
  const titleRows = rowsOf(title, width, `600 ${titlePx}px ${style.fontFamily}`)
  const legend = series.length > 1 ? series : []
  const top = marginPx + titleRows.length * titleRowPx + marginPx
  const below = legend.length * (legendPx + 6)
  const drawing = element('svg', { width: width + 2 * marginPx, height: top + height + below + marginPx })
  drawing.setAttribute('xmlns', namespace)
  drawing.append(
    element('rect', { width: '100%', height: '100%', fill: groundOf(svg) }),
    ...titleRows.map((row, index) =>
      element(
        'text',
        { ...ink, x: marginPx, y: marginPx + titlePx + index * titleRowPx, 'font-size': titlePx, 'font-weight': 600 },
        row,
      ),
    ),
  )
  const body = element('g', { transform: `translate(${marginPx} ${top})` })
  body.append(withStyles(svg))
  drawing.append(body)
  legend.forEach(({ label, color, dash }, index) => {
    const y = top + height + (index + 1) * (legendPx + 6)
    drawing.append(
      element('line', {
        ...{ x1: marginPx, x2: marginPx + 24, y1: y - 5, y2: y - 5, stroke: resolved(svg, color), 'stroke-width': 4 },
        ...(dash && { 'stroke-dasharray': dash }),
      }),
      element('text', { ...ink, x: marginPx + 32, y, 'font-size': legendPx }, label),
    )
  })
  return drawing
}

/** Background of the nearest element with a colour; white if there is none. */
function groundOf(element: Element | null): string {
  for (let box = element; box; box = box.parentElement) {
    const { backgroundColor } = getComputedStyle(box)
    if (backgroundColor !== 'rgba(0, 0, 0, 0)') return backgroundColor
  }
  return '#fff'
}

/** Breaks a title into rows that fit a width in pixels. */
function rowsOf(title: string, widthPx: number, font: string): string[] {
  const { context: pencil } = newCanvas(1, 1)
  pencil.font = font
  const rows: string[] = []
  for (const word of title.split(' ')) {
    const longer = `${rows.at(-1) ?? ''} ${word}`.trim()
    if (rows.length > 0 && pencil.measureText(longer).width <= widthPx) rows[rows.length - 1] = longer
    else rows.push(word)
  }
  return rows
}

/** A copy in which every element carries its own style. */
function withStyles(svg: SVGSVGElement) {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const parts = [svg, ...svg.querySelectorAll<SVGElement>('*')]
  for (const [index, copied] of [copy, ...copy.querySelectorAll<SVGElement>('*')].entries()) {
    const style = getComputedStyle(parts[index]!)
    for (const name of drawnProperties) copied.setAttribute(name, style.getPropertyValue(name))
    copied.removeAttribute('class')
    copied.removeAttribute('style')
  }
  return copy
}

/** A style sheet colour as numbers. */
function resolved(svg: SVGSVGElement, color: string) {
  const probe = element('line', { stroke: color })
  svg.append(probe)
  const { stroke } = getComputedStyle(probe)
  probe.remove()
  return stroke
}

function element(name: string, attributes: Record<string, string | number>, text = '') {
  const created = document.createElementNS(namespace, name) as SVGElement
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, String(value))
  created.textContent = text
  return created
}

async function toPng(vector: Blob, drawing: SVGElement): Promise<Blob> {
  const address = URL.createObjectURL(vector)
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const pixelsOf = (side: string) => Number(drawing.getAttribute(side)) * pngScale
    const { canvas, context } = newCanvas(pixelsOf('width'), pixelsOf('height'))
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The canvas has no picture'))), 'image/png'),
    )
  } finally {
    URL.revokeObjectURL(address)
  }
}

function download(blob: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000)
}
