/** Names are text with their slash, strings are bytes; references and keywords are text. */
export type PdfValue = string | number | boolean | null | Buffer | PdfValue[] | PdfDictionary
export type PdfDictionary = { [name: string]: PdfValue | undefined }

const deepest = 20

/** The last trailer or cross-reference stream dictionary that has this key; undefined if none has. */
export function findInTrailers(text: string, key: string): PdfDictionary | undefined {
  const mark = `/${key}`
  for (let at = text.lastIndexOf(mark); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(mark, at - 1)) {
    const start = Math.max(text.lastIndexOf('trailer', at), text.lastIndexOf(' obj', at))
    const dictionary = start < 0 ? undefined : dictionaryAt(text, text.indexOf('<<', start))
    if (dictionary && key in dictionary) return dictionary
  }
  return undefined
}

/**
 * The dictionary itself, or the newest version of the object a reference such as `5 0 R` points to; undefined if there
 * is none.
 */
export function objectOf(text: string, value: PdfValue | undefined): PdfDictionary | undefined {
  if (isDictionary(value)) return value
  const [, number, generation] = /^(\d+) (\d+) R$/.exec(String(value)) ?? []
  if (!number) return undefined
  const found = [...text.matchAll(new RegExp(`(?<!\\d)${number}\\s+${generation}\\s+obj\\b`, 'g'))].at(-1)
  return found && dictionaryAt(text, text.indexOf('<<', found.index))
}

const isDictionary = (value: unknown): value is PdfDictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value)

/** The dictionary at a position; undefined if there is none or it is malformed. */
function dictionaryAt(text: string, at: number): PdfDictionary | undefined {
  if (at < 0) return undefined
  try {
    const value = makeReader(text, at).read(0)
    return isDictionary(value) ? value : undefined
  } catch {
    return undefined
  }
}

const reference = /(\d+)\s+(\d+)\s+R(?![^\s()<>[\]{}/%])/y
const word = /[^\s\0()<>[\]{}/%]+/y
const space = /(?:[\s\0]|%[^\r\n]*)+/y

/** Reads values as in ISO 32000-1, 7.3; throws if the text holds none. */
function makeReader(text: string, start: number) {
  let at = start
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
  const takes = (sign: string) => {
    take(space)
    if (!text.startsWith(sign, at)) return false
    at += sign.length
    return true
  }
  const fail = (): never => {
    throw new Error('no value')
  }

  function read(depth: number): PdfValue {
    if (depth > deepest) fail()
    if (takes('<<')) return readDictionary(depth)
    if (takes('[')) {
      const values: PdfValue[] = []
      while (!takes(']')) values.push(read(depth + 1))
      return values
    }
    if (takes('(')) return readLiteral()
    if (takes('<'))
      return Buffer.from(
        readUntil('>')
          .replace(/\s/g, '')
          .replace(/^((?:..)*.)$/, '$10'),
        'hex',
      )
    if (takes('/')) return `/${readName()}`
    const referred = take(reference)
    if (referred) return `${referred[1]} ${referred[2]} R`
    const found = take(word)?.[0] ?? fail()
    return { true: true, false: false, null: null }[found] ?? (Number.isNaN(Number(found)) ? found : Number(found))
  }

  function readDictionary(depth: number): PdfDictionary {
    const dictionary: PdfDictionary = {}
    while (!takes('>>')) {
      if (!takes('/')) fail()
      const name = readName()
      dictionary[name] = read(depth + 1)
    }
    return dictionary
  }

  const readName = () =>
    (take(word)?.[0] ?? '').replace(/#([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )

  function readUntil(sign: string) {
    const end = text.indexOf(sign, at)
    if (end < 0) fail()
    const found = text.slice(at, end)
    at = end + sign.length
    return found
  }

  /** A string in brackets, which may contain nested brackets and escapes. */
  function readLiteral(): Buffer {
    const bytes: number[] = []
    for (let depth = 1; ; ) {
      const sign = text[at++] ?? fail()
      if (sign === '(') depth++
      if (sign === ')' && --depth === 0) return Buffer.from(bytes)
      if (sign !== '\\') bytes.push(sign.charCodeAt(0))
      else {
        const [escaped = ''] = take(/[0-7]{1,3}|\r\n|[\s\S]/y) ?? []
        if (/^[0-7]/.test(escaped)) bytes.push(Number.parseInt(escaped, 8) & 255)
        else if (!/^[\r\n]/.test(escaped)) bytes.push((escapes[escaped] ?? escaped).charCodeAt(0))
      }
    }
  }
  return { read }
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
