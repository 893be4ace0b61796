import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { openCertificate } from './certificates.ts'

/** Signs a letter's file at its first printing. A certified provider would be another implementation. */
export type LetterSigner = {
  /** Certificate that signs; null if files are not signed. */
  certificateId: string | null
  /** Reserves space for the signature in a document that is drawn but not ended. */
  reserve(doc: PDFKit.PDFDocument): void
  sign(pdf: Buffer): Promise<Buffer>
}

const noSigner: LetterSigner = { certificateId: null, reserve: () => {}, sign: async (pdf) => pdf }

/**
 * The installation's signer. 409 if its certificate has expired or cannot be opened: a letter first printed without a
 * signature would stay unsigned.
 */
export async function signerOf(services: Services): Promise<LetterSigner> {
  const certificate = await openCertificate(services)
  if (!certificate) return noSigner
  const { id, holder, validUntil, secrets } = certificate
  const now = services.clock.now()
  if (validUntil <= now) throw conflict('letter_certificate_expired')
  if (!secrets) throw conflict('letter_certificate_locked')
  return {
    certificateId: id,
    reserve: (doc) => reserveSignature(doc, holder, now),
    async sign(pdf) {
      const [{ SignPdf }, { P12Signer }] = await Promise.all([
        import('@signpdf/signpdf'),
        import('@signpdf/signer-p12'),
      ])
      const { file, passphrase } = secrets
      return new SignPdf().sign(pdf, new P12Signer(Buffer.from(file, 'base64'), { passphrase }), now)
    },
  }
}

/** Space for the signature in bytes; a chain of three certificates takes about 6,000. */
const signatureBytes = 12_000
/** Placeholder that the signature overwrites; `SignPdf` looks for these asterisks. */
const byteRange = [0, '**********', '**********', '**********']
/** Form flags: it has signatures, and changes must be appended to the file (ISO 32000-1, 12.7.2). */
const signatureFlags = 3
const printed = 4

/** Adds an invisible signature field whose content `SignPdf` fills in (ISO 32000-1, 12.8). */
function reserveSignature(doc: PDFKit.PDFDocument, holder: string, at: Date) {
  const pdf = doc as unknown as Drawn
  const signature = pdf.ref({
    Type: 'Sig',
    Filter: 'Adobe.PPKLite',
    SubFilter: 'adbe.pkcs7.detached',
    ByteRange: byteRange,
    Contents: Buffer.alloc(signatureBytes),
    Name: new String(holder),
    M: at,
  })
  const widget = pdf.ref({
    Type: 'Annot',
    Subtype: 'Widget',
    FT: 'Sig',
    Rect: [0, 0, 0, 0],
    V: signature,
    T: new String('Signature1'),
    F: printed,
    P: pdf.page.dictionary,
  })
  pdf.page.annotations.push(widget)
  for (const part of [signature, widget]) part.end()
  // pdfkit writes the form when the document ends.
  doc.initForm()
  const { data } = pdf._root.data.AcroForm
  data.Fields.push(widget)
  data.SigFlags = signatureFlags
  delete data.NeedAppearances
}

type Ref = { end(): void }
/** Parts of pdfkit's document missing from its types. */
type Drawn = {
  ref(data: object): Ref
  page: { dictionary: Ref; annotations: Ref[] }
  _root: { data: { AcroForm: { data: { Fields: Ref[]; SigFlags?: number; NeedAppearances?: boolean } } } }
}
