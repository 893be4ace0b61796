/** External systems do not send longer answers; bytes beyond this are not read into memory. */
const mostBytes = 1_000_000

/** Text of an external system's answer. */
export async function readAnswerText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > mostBytes) throw new Error('the answer has no end')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** PostgreSQL text cannot hold NUL characters. */
export const withoutZeros = (text: string | undefined) => text?.replaceAll('\u0000', '')

/** Text that PostgreSQL accepts: without NUL and lone surrogates, and at most `most` characters. */
export const cutText = (text: string, most: number) =>
  text.replaceAll('\u0000', '').toWellFormed().slice(0, most).toWellFormed()

/** The JSON of an answer; undefined for other text. */
export function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
