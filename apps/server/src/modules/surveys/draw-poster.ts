import type { Language } from '#entities/define/language.ts'
import { greyInk, ink, newPdf } from '#server/platform/files/pdf.ts'
import { qrRuns } from '#server/platform/files/qr.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { showLink } from './links.ts'
import { showSurvey } from './save-survey.ts'
import { getDefinition } from './survey-rows.ts'

/** Side of the QR code in points; scannable from two metres. */
const codeSide = 340

/** Draws a PDF page with a link's QR code. 404 if there is no such link. */
export async function drawPoster(services: Services, surveyId: string, linkId: string, language: Language) {
  const { db } = services
  const link = await showLink(services, db, surveyId, linkId)
  const { draft, published } = await showSurvey(db, surveyId)
  const newest = published === null ? draft : await getDefinition(db, surveyId, published)
  const title = newest.title[language] || link.name
  const pdf = await newPdf({ title, settings: await getSettings(db), pageWord: () => '' })
  const { doc, left, width } = pdf
  const { size, runs } = qrRuns(link.url)
  const module = codeSide / size
  const [x, y] = [left + (width - codeSide) / 2, 220]
  for (const run of runs) doc.rect(x + run.x * module, y + run.y * module, run.length * module, module)
  doc.fill('#000000')
  const below = y + codeSide
  const say = sentences(language)
  doc.font('Helvetica-Bold').fontSize(20).fillColor(ink)
  doc.text(say('surveys:links.scan'), left, below + 32, { width, align: 'center' })
  doc
    .font('Helvetica')
    .fontSize(14)
    .text(link.url, left, below + 66, { width, align: 'center' })
  doc
    .fontSize(11)
    .fillColor(greyInk)
    .text(link.school ?? '', left, below + 92, { width, align: 'center' })
  return { slug: link.slug, bytes: await pdf.bytes() }
}
