/** Names Windows reserves for devices, with any extension. */
const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])\s*(\.|$)/i

/**
 * File or folder name every system can unpack: no dots or spaces at its edges, at most `maxLength` characters, no
 * Windows device name; characters that file systems refuse become `substitute`. Empty if nothing remains.
 */
export function safeFileName(text: string, { substitute = ' ', maxLength = 100 } = {}) {
  const name = [
    ...text
      .normalize('NFC')
      .replace(/[\p{C}<>:"/\\|?*]/gu, substitute)
      .replace(/\s+/g, ' ')
      .replace(/^[. ]+/, ''),
  ]
    .slice(0, maxLength)
    .join('')
    .replace(/[. ]+$/, '')
  return deviceName.test(name) ? `_${name}` : name
}

/** Makes names unique, ignoring case: the second `a.pdf` becomes `a (2).pdf`, or the next free one. */
export function uniqueNames(numbered = (count: number) => ` (${count})`) {
  const used = new Set<string>()
  const counts = new Map<string, number>()
  return (name: string, extension: string) => {
    const plain = `${name}.${extension}`.toLowerCase()
    for (let count = (counts.get(plain) ?? 0) + 1; ; count++) {
      const unique = `${name}${count === 1 ? '' : numbered(count)}.${extension}`
      if (used.has(unique.toLowerCase())) continue
      used.add(unique.toLowerCase())
      counts.set(plain, count)
      return unique
    }
  }
}
