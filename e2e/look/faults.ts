/**
 * Finds text that is cut or leaves its box, sideways scrolling, fields too narrow for a short value, and field borders
 * with a contrast below 3 : 1. Runs inside the page, so it refers to nothing outside itself.
 */
export function faultsOfPage(): string[] {
  const faults = new Set<string>()
  const root = document.documentElement
  const words = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 48)
  const nameOf = (element: Element) => {
    const own = [...element.classList].find((name) => !/^m_|^mantine-/.test(name)) ?? element.classList[0] ?? ''
    return `${element.tagName.toLowerCase()}${own ? `.${own}` : ''}`
  }
  const hidden = (element: Element) => {
    // Skips hidden content, such as that of a closed <details>.
    if (!element.checkVisibility()) return true
    for (let one: Element | null = element; one; one = one.parentElement) {
      const style = getComputedStyle(one)
      if (style.clipPath !== 'none' || style.visibility === 'hidden' || style.opacity === '0') return true
      if (style.clip !== 'auto' && style.position === 'absolute') return true
      if (one.getAttribute('aria-hidden') === 'true' && one.tagName === 'svg') return true
    }
    return false
  }

  if (root.scrollWidth > window.innerWidth + 1)
    faults.add(`the page scrolls sideways by ${root.scrollWidth - window.innerWidth} px`)

  // Compares each word with the boxes that clip it, up to the first box a person can scroll.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!parent || words(node.textContent ?? '') === '' || /^(SCRIPT|STYLE|OPTION|TITLE)$/.test(parent.tagName))
      continue
    range.selectNodeContents(node)
    const rectangles = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
    if (rectangles.length === 0 || hidden(parent)) continue
    // Only templates of messages, letters and replies contain placeholders on purpose.
    if (
      node.textContent!.includes('{{') &&
      !/^\/(master\/notifikasi-whatsapp|surat\/|chat\/private-chat\/jawaban)/.test(location.pathname)
    )
      faults.add(`placeholder without a value: "${words(node.textContent ?? '')}"`)
    // Text broken into lines of one or two letters, such as a title beside wide buttons.
    if (rectangles.length > 3 && node.textContent!.trim().length < rectangles.length * 3)
      faults.add(`broken into letters: "${words(node.textContent ?? '')}" in ${nameOf(parent)}`)
    const left = Math.min(...rectangles.map((one) => one.left))
    const right = Math.max(...rectangles.map((one) => one.right))
    const bottom = Math.max(...rectangles.map((one) => one.bottom))
    let scrolls = false
    for (let box: Element | null = parent; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box)
      if (style.position === 'fixed') scrolls = true
      if (style.overflowX === 'visible' || style.display === 'inline') continue
      if (/auto|scroll/.test(style.overflowX)) {
        scrolls = true
        break
      }
      const rectangle = box.getBoundingClientRect()
      // A closed accordion.
      if (rectangle.height < 2) break
      if (right > rectangle.right + 1.5 || left < rectangle.left - 1.5)
        faults.add(`cut sideways: "${words(node.textContent ?? '')}" in ${nameOf(box)}`)
      else if (bottom > rectangle.bottom + 3)
        faults.add(`cut below: "${words(node.textContent ?? '')}" in ${nameOf(box)}`)
    }
    // Content placed far outside the window for keyboard users is not meant to be visible yet.
    if (!scrolls && right > 0 && (right > window.innerWidth + 1.5 || left < -1.5))
      faults.add(`outside the window: "${words(node.textContent ?? '')}" in ${nameOf(parent)}`)
  }

  // Controls, labels, cells and headings, whose text must fit inside.
  for (const element of document.querySelectorAll<HTMLElement>(
    'button,a,label,td,th,h1,h2,h3,h4,dt,dd,legend,[role=tab]',
  )) {
    if (element.clientWidth === 0 || hidden(element)) continue
    if (/auto|scroll/.test(getComputedStyle(element).overflowX)) continue
    if (element.scrollWidth > element.clientWidth + 1.5)
      faults.add(
        `wider than its box by ${element.scrollWidth - element.clientWidth} px: "${words(element.textContent)}" in ${nameOf(element)}`,
      )
  }

  const pencil = document.createElement('canvas').getContext('2d')!
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input,select')) {
    if (field.clientWidth < 4 || hidden(field) || /^(checkbox|radio|file|range|color)$/.test(field.type)) continue
    const style = getComputedStyle(field)
    // Any option may be chosen, so the longest one must fit.
    const isVisible =
      field instanceof HTMLSelectElement
        ? [...field.options].map(({ text }) => text).filter(({ length }) => length <= 16)
        : [field.value || field.placeholder]
    pencil.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
    const space = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    // Readers scroll through longer texts; numbers, dates and short options must fit.
    for (const text of field.type === 'password' ? [] : isVisible) {
      const needed = pencil.measureText(text).width
      if (text.length <= 16 && needed > space + 1.5)
        faults.add(`field too narrow by ${Math.ceil(needed - space)} px: "${words(text)}" in ${nameOf(field)}`)
    }
  }

  type Rgba = [number, number, number, number]
  const swatch = document.createElement('canvas')
  swatch.width = swatch.height = 1
  const paint = swatch.getContext('2d', { willReadFrequently: true })!
  const read = (colour: string): Rgba => {
    paint.clearRect(0, 0, 1, 1)
    paint.fillStyle = colour
    paint.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha = 0] = paint.getImageData(0, 0, 1, 1).data
    return [red, green, blue, alpha / 255]
  }
  const groundOf = (element: Element | null): Rgba => {
    for (let one = element; one; one = one.parentElement) {
      const colour = read(getComputedStyle(one).backgroundColor)
      if (colour[3] > 0.95) return colour
    }
    return [255, 255, 255, 1]
  }
  const light = ([red, green, blue]: Rgba) => {
    const [r, g, b] = [red, green, blue].map((value) => {
      const share = value / 255
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    }) as [number, number, number]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (one: Rgba, other: Rgba) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b) as [number, number]
    return (high + 0.05) / (low + 0.05)
  }
  const bordered =
    'input,select,textarea,.mantine-Input-input,.mantine-Checkbox-input,.mantine-Radio-radio,.mantine-Switch-track'
  for (const field of document.querySelectorAll<HTMLElement>(bordered)) {
    const style = getComputedStyle(field)
    if (field.clientWidth < 4 || hidden(field) || field.matches(':disabled,[data-disabled]')) continue
    if (parseFloat(style.borderTopWidth) === 0) continue
    const around = groundOf(field.parentElement)
    const border = read(style.borderTopColor)
    if (border[3] < 0.95) continue
    const ratio = Math.max(contrast(border, around), contrast(groundOf(field), around))
    if (ratio < 3) faults.add(`border of ${nameOf(field)} has ${ratio.toFixed(2)} : 1`)
  }
  return [...faults]
}
