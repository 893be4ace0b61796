/** Pictures and documents that a trial uploads. */
const pdf =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
  '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'

export async function samplePicture(name: string) {
  const { default: sharp } = await import('sharp')
  const bytes = await sharp({ create: { width: 900, height: 1200, channels: 3, background: '#4a7fb5' } })
    .composite([
      {
        input: Buffer.from(
          '<svg width="900" height="1200"><circle cx="450" cy="430" r="220" fill="#e5b792"/><path d="M100 1200a350 420 0 0 1 700 0z" fill="#2b3a55"/></svg>',
        ),
      },
    ])
    .jpeg()
    .toBuffer()
  return { name: `${name}.jpg`, mime: 'image/jpeg', bytes }
}

/** A file of a type the document slot accepts. */
export const sampleDocument = (acceptedTypes: readonly string[]) =>
  acceptedTypes.includes('pdf')
    ? { name: 'trial.pdf', mime: 'application/pdf', bytes: Buffer.from(pdf) }
    : samplePicture('trial')
