import type { Language } from '#entities/define/language.ts'
import { dateTime, rupiah, shortDate, twoDecimals } from '#locales/format.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { logoBytes } from '#server/platform/branding.ts'
import { newPdf, type PdfColumn } from '#server/platform/files/pdf.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { wordsIn } from '#server/platform/text.ts'
import type { Evidence, EvidencePart } from './read-evidence.ts'

/** Draws the evidence as an A4 document: one table for each part, in the order of time. */
export async function drawEvidence(services: Services, actor: Actor, evidence: Evidence, language: Language) {
  const settings = await getSettings(services.db)
  const { registration, status, hidden } = evidence
  const { t, has } = wordsIn(language)
  const at = (time: Date | null) => (time ? dateTime(time, language, settings.timeZone) : '')
  const by = (name: string | null) => name ?? t('evidence:system')
  const lines = (...texts: (string | null | false)[]) => texts.filter(Boolean).join('\n')
  const pdf = await newPdf({
    title: t('evidence:title', { code: registration.code }),
    settings,
    logo: await logoBytes(services, settings),
    footer: `${registration.code} · ${settings.universityName}`,
  })
  pdf.facts([
    [t('evidence:name'), registration.name],
    [t('evidence:code'), registration.code],
    [t('evidence:wave'), `${registration.wave.name} ${registration.wave.academicYear}`],
    [t('evidence:track'), registration.track.name],
    [t('evidence:status'), t(`admissions:status.${status}`)],
    [t('evidence:createdAt'), at(services.clock.now())],
    [t('evidence:createdBy'), actor.name],
  ])
  if (hidden.length > 0)
    pdf.doc.text(t('evidence:hidden', { parts: hidden.map((part) => t(`evidence:part.${part}`)).join(', ') }), {
      width: pdf.width,
    })

  type Column = [word: 'at' | 'what' | 'by' | 'state' | 'amount' | 'paid' | 'reason' | 'score' | 'final', width: number]
  function part(name: EvidencePart, columns: readonly Column[], rows: readonly (readonly string[])[]) {
    if (hidden.includes(name)) return
    pdf.heading(t(`evidence:part.${name}`))
    if (rows.length === 0) pdf.doc.text(t('evidence:nothing'))
    else
      pdf.table(
        columns.map(([word, width]): PdfColumn => ({ label: t(`evidence:column.${word}`), width })),
        rows,
      )
  }
  const eventOf = ({ kind, name, title }: Evidence['history'][number]) => {
    const key = kind === 'message' ? 'admissions:timeline.message' : `admissions:timeline.${name.replaceAll('.', '-')}`
    return has(key) ? t(key, { title: title ?? '' }) : name
  }
  const event: Column[] = [
    ['at', 90],
    ['what', 270],
    ['by', 100],
  ]

  part(
    'history',
    event,
    evidence.history.map((entry) => [
      at(entry.at),
      lines(eventOf(entry), entry.reason),
      entry.actorName ?? t(`admissions:timelineActor.${entry.actor}`),
    ]),
  )
  part(
    'documents',
    [
      ['what', 220],
      ['state', 80],
      ['at', 80],
      ['by', 90],
    ],
    evidence.documents.map(({ name, status, sha256, rejectReason, reviewedAt, uploadedAt, reviewedBy }) => [
      lines(name, rejectReason, sha256 && t('evidence:hash', { hash: sha256 })),
      t(`student-files:state.${status}`),
      at(reviewedAt ?? uploadedAt),
      reviewedBy ?? '',
    ]),
  )
  part(
    'papers',
    event,
    evidence.papers.map(({ number, lines: copies, voidReason, receivedAt, broughtBy, receivedBy }) => [
      at(receivedAt),
      lines(number, copies, voidReason && t('student-files:papers.voided', { reason: voidReason })),
      lines(broughtBy, t('evidence:received', { name: receivedBy })),
    ]),
  )
  part(
    'scores',
    [
      ['at', 80],
      ['what', 210],
      ['score', 50],
      ['final', 50],
      ['by', 80],
    ],
    evidence.scores.map(({ test, recordedAt, recordedBy, run, inputHash, final, score }) => [
      at(recordedAt),
      lines(test, run !== null && t('evidence:run', { name: run, hash: inputHash ?? '' })),
      score === null ? '' : twoDecimals(score),
      final === null ? '' : twoDecimals(final),
      by(recordedBy),
    ]),
  )
  part(
    'selection',
    event,
    evidence.selection.map(({ run, programme, position, why, adoptedAt, adoptedBy, ...hashes }) => [
      at(adoptedAt),
      lines(
        t('evidence:choice', { position, programme }),
        why,
        t('evidence:adopted', {
          name: run,
          input: hashes.inputHash ?? '',
          output: hashes.outputHash ?? '',
          verified: hashes.verifiedHash ?? '',
        }),
      ),
      by(adoptedBy),
    ]),
  )
  const { decision } = evidence
  part(
    'decision',
    event,
    decision
      ? [
          [
            at(decision.decidedAt),
            lines(
              t(`staff:decision.${decision.decision!}`),
              decision.acceptedProgramme?.name ?? null,
              decision.decisionReason,
              t(decision.published ? 'evidence:published' : 'evidence:unpublished'),
            ),
            by(decision.decidedByName),
          ],
        ]
      : [],
  )
  part(
    'bills',
    [
      ['at', 80],
      ['what', 170],
      ['state', 80],
      ['amount', 75],
      ['paid', 75],
    ],
    evidence.bills.map(({ number, kind, status, total, paid, issuedAt }) => [
      shortDate(issuedAt, language, settings.timeZone),
      lines(number, t(`bills:kind.${kind}`)),
      t(`bills:billStatus.${status}`),
      rupiah(total),
      rupiah(paid),
    ]),
  )
  part(
    'payments',
    [
      ['at', 80],
      ['what', 220],
      ['amount', 80],
      ['by', 90],
    ],
    evidence.payments.map((payment) => [
      at(payment.at),
      lines(`${payment.reference} → ${payment.bill}`, payment.channel ?? payment.provider),
      rupiah(payment.amount),
      by(payment.by),
    ]),
  )
  part(
    'numbers',
    event,
    evidence.numbers.map(({ npm, issuedAt, issuedBy, withdrawnAt, withdrawnBy, reason }) => [
      at(issuedAt),
      lines(
        npm,
        withdrawnAt && t('evidence:withdrawn', { date: at(withdrawnAt), name: by(withdrawnBy), reason: reason ?? '' }),
      ),
      by(issuedBy),
    ]),
  )
  part(
    'cards',
    event,
    evidence.cards.map(({ npm, copy, printedAt, printedBy, reason }) => [
      at(printedAt),
      lines(t('evidence:copy', { npm, copy }), reason),
      printedBy,
    ]),
  )
  part(
    'letters',
    event,
    evidence.letters.map(({ number, nameEn, nameId, state, withdrawnReason, hash, issuedAt, issuedBy }) => [
      at(issuedAt),
      lines(
        `${language === 'en' ? nameEn : nameId} ${number}`,
        t(`letters:state.${state}`),
        withdrawnReason,
        t('evidence:hash', { hash }),
      ),
      by(issuedBy),
    ]),
  )
  part(
    'jackets',
    event,
    evidence.jackets.map(({ size, handedAt, handedBy, endedAt, endedAs, endedReason, endedBy }) => [
      at(handedAt),
      lines(
        size,
        endedAs &&
          `${t(endedAs === 'returned' ? 'jackets:movement.return' : 'jackets:movement.exchange')}, ${at(endedAt)}`,
        endedReason,
        endedBy,
      ),
      by(handedBy),
    ]),
  )
  return pdf.bytes()
}
