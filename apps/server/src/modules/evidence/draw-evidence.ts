import type { Language } from '#entities/define/language.ts'
import { dateTime, rupiah, shortDate, twoDecimals } from '#locales/format.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { logoBytes } from '#server/platform/branding.ts'
import { newPdf, type PdfColumn } from '#server/platform/files/pdf.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { wordsIn } from '#server/platform/text.ts'
import type { Evidence, EvidencePart } from './read-evidence.ts'

type ColumnWord = 'at' | 'what' | 'by' | 'state' | 'amount' | 'paid' | 'score' | 'final'
type Columns = readonly (readonly [word: ColumnWord, width: number])[]
type Cells = readonly string[]

/** Formats values in the document's language and time zone. */
function writerIn(language: Language, timeZone: string) {
  const { t, has } = wordsIn(language)
  return {
    t,
    channelOf: (channel: string) => (has(`bills:how.${channel}`) ? t(`bills:how.${channel}`) : channel),
    language,
    at: (time: Date | null) => (time ? dateTime(time, language, timeZone) : ''),
    day: (time: Date) => shortDate(time, language, timeZone),
    by: (name: string | null) => name ?? t('evidence:system'),
    lines: (...texts: (string | null | false)[]) => texts.filter(Boolean).join('\n'),
    /** Rules of a selection for the registration's track. */
    rulesOf: ({ rules, criteria, ties, names, scoreRun }: Evidence['selection'][number]) => [
      t(`selection:form.methods.${rules.method}`),
      `${t('selection:form.scoreRun')}: ${scoreRun ?? t('selection:form.raw')}`,
      ...criteria.map(({ programmeId, tests }) =>
        [
          programmeId && `${names[programmeId] ?? ''}:`,
          tests
            .map(({ testId, weight, passMark }) =>
              [
                `${names[testId] ?? ''} × ${twoDecimals(weight)}`,
                passMark !== null && `${t('selection:form.passMark').toLowerCase()} ${twoDecimals(passMark)}`,
              ]
                .filter(Boolean)
                .join(', '),
            )
            .join('; ') || t('selection:form.noTests'),
        ]
          .filter(Boolean)
          .join(' '),
      ),
      `${t('selection:form.ties')}: ${t(`selection:form.tie.${ties ?? rules.ties}`)}`,
      `${t('selection:form.reserve')}: ${rules.reservePercent}`,
    ],
    eventOf({ kind, name, title }: Evidence['history'][number]) {
      const key =
        kind === 'message' ? 'admissions:timeline.message' : `admissions:timeline.${name.replaceAll('.', '-')}`
      return has(key) ? t(key, { title: title ?? '' }) : name
    },
  }
}
type Writer = ReturnType<typeof writerIn>

const eventColumns: Columns = [
  ['at', 90],
  ['what', 270],
  ['by', 100],
]

type Table = { columns: Columns; rows: (evidence: Evidence, writer: Writer) => Cells[] }

/** Parts with a table; a licence is a file of the pack only. */
type Tabular = Exclude<EvidencePart, 'licence'>

/** The table of each part, in the order of the document. */
const tables: Record<Tabular, Table> = {
  history: {
    columns: eventColumns,
    rows: ({ history }, { t, at, lines, eventOf }) =>
      history.map((entry) => [
        at(entry.at),
        lines(eventOf(entry), entry.reason),
        entry.actorName ?? t(`admissions:timelineActor.${entry.actor}`),
      ]),
  },
  documents: {
    columns: [
      ['what', 220],
      ['state', 80],
      ['at', 80],
      ['by', 90],
    ],
    rows: ({ documents }, { t, at, lines }) =>
      documents.map(({ name, status, sha256, rejectReason, reviewedAt, uploadedAt, reviewedBy }) => [
        lines(name, rejectReason, sha256 && t('evidence:hash', { hash: sha256 })),
        t(`student-files:state.${status}`),
        at(reviewedAt ?? uploadedAt),
        reviewedBy ?? '',
      ]),
  },
  papers: {
    columns: eventColumns,
    rows: ({ papers }, { t, at, lines }) =>
      papers.map(({ number, lines: copies, voidReason, receivedAt, broughtBy, receivedBy }) => [
        at(receivedAt),
        lines(number, copies, voidReason && t('student-files:papers.voided', { reason: voidReason })),
        lines(broughtBy, t('evidence:received', { name: receivedBy })),
      ]),
  },
  scores: {
    columns: [
      ['at', 80],
      ['what', 210],
      ['score', 50],
      ['final', 50],
      ['by', 80],
    ],
    rows: ({ scores }, { t, at, by, lines }) =>
      scores.map(({ test, recordedAt, recordedBy, run, inputHash, final, score }) => [
        at(recordedAt),
        lines(test, run !== null && t('evidence:run', { name: run, hash: inputHash ?? '' })),
        score === null ? '' : twoDecimals(score),
        final === null ? '' : twoDecimals(final),
        by(recordedBy),
      ]),
  },
  selection: {
    columns: eventColumns,
    rows: ({ selection, selectionWaits }, { t, at, by, lines, rulesOf }) => [
      ...selection.map((run) => [
        at(run.adoptedAt),
        lines(
          t('evidence:selection', { name: run.name }),
          ...rulesOf(run),
          ...run.choices.flatMap(({ position, programme, why }) => [
            t('evidence:choice', { position, programme }),
            why,
          ]),
          run.choices.length === 0 && t('evidence:noChoice'),
          t('evidence:hashes', {
            input: run.inputHash ?? '',
            output: run.outputHash ?? '',
            verified: run.verifiedHash ?? '',
          }),
        ),
        by(run.adoptedBy),
      ]),
      ...(selectionWaits ? [['', t('evidence:selectionWaits'), '']] : []),
    ],
  },
  decision: {
    columns: eventColumns,
    rows: ({ decision }, { t, at, by, lines }) =>
      decision
        ? [
            [
              at(decision.decidedAt),
              lines(
                t(`staff:decision.${decision.decision}`),
                decision.programme?.name ?? null,
                decision.reason,
                t(decision.published ? 'evidence:published' : 'evidence:unpublished'),
              ),
              by(decision.decidedBy),
            ],
          ]
        : [],
  },
  publications: {
    columns: eventColumns,
    rows: ({ publications }, { t, at, by, lines }) =>
      publications.map((row) =>
        row.decision === null
          ? [at(row.at), t('evidence:publication', { number: row.number }), by(row.by)]
          : [
              at(row.at),
              lines(
                t(`staff:decision.${row.decision}`),
                t('evidence:decided', { date: at(row.decidedAt) }),
                row.run && t('evidence:selection', { name: row.run }),
                row.at === null && t(row.undoneAt ? 'evidence:neverPublic' : 'evidence:waits', { number: row.number }),
                row.undoneAt &&
                  t(row.staysShown ? 'evidence:replaced' : 'evidence:takenBack', { date: at(row.undoneAt) }),
              ),
              by(row.by),
            ],
      ),
  },
  bills: {
    columns: [
      ['at', 80],
      ['what', 170],
      ['state', 80],
      ['amount', 75],
      ['paid', 75],
    ],
    rows: ({ bills }, { t, day, lines }) =>
      bills.map(({ number, kind, status, total, paid, issuedAt }) => [
        day(issuedAt),
        lines(number, t(`bills:kind.${kind}`)),
        t(`bills:billStatus.${status}`),
        rupiah(total),
        rupiah(paid),
      ]),
  },
  payments: {
    columns: [
      ['at', 80],
      ['what', 220],
      ['amount', 80],
      ['by', 90],
    ],
    rows: ({ payments }, { t, at, by, lines, channelOf }) =>
      payments.map((payment) => [
        at(payment.at),
        lines(
          t('evidence:paymentFor', { reference: payment.reference, bill: payment.bill }),
          channelOf(payment.channel ?? payment.provider),
        ),
        rupiah(payment.amount),
        by(payment.by),
      ]),
  },
  numbers: {
    columns: eventColumns,
    rows: ({ numbers }, { t, at, by, lines }) =>
      numbers.map(({ npm, issuedAt, issuedBy, withdrawnAt, withdrawnBy, reason }) => [
        at(issuedAt),
        lines(
          npm,
          withdrawnAt &&
            t('evidence:withdrawn', { date: at(withdrawnAt), name: by(withdrawnBy), reason: reason ?? '' }),
        ),
        by(issuedBy),
      ]),
  },
  cards: {
    columns: eventColumns,
    rows: ({ cards }, { t, at, lines }) =>
      cards.map(({ npm, copy, printedAt, printedBy, reason }) => [
        at(printedAt),
        lines(t('evidence:copy', { npm, copy }), reason),
        printedBy,
      ]),
  },
  letters: {
    columns: eventColumns,
    rows: ({ letters }, { t, language, at, by, lines }) =>
      letters.map(({ number, nameEn, nameId, state, hash, issuedAt, issuedBy, ...end }) => [
        at(issuedAt),
        lines(
          `${language === 'en' ? nameEn : nameId} ${number}`,
          t(`letters:state.${state}`),
          end.withdrawnAt &&
            t('evidence:withdrawn', {
              date: at(end.withdrawnAt),
              name: by(end.withdrawnBy),
              reason: end.withdrawnReason ?? '',
            }),
          t('evidence:hash', { hash }),
        ),
        by(issuedBy),
      ]),
  },
  jackets: {
    columns: eventColumns,
    rows: ({ jackets }, { t, at, by, lines }) =>
      jackets.map(({ size, handedAt, handedBy, endedAt, endedAs, endedReason, endedBy }) => [
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
  },
}

/** Draws the evidence as an A4 document: one table for each part, in chronological order. */
export async function drawEvidence(services: Services, actor: Actor, evidence: Evidence, language: Language) {
  const settings = await getSettings(services.db)
  const { registration, status, hidden } = evidence
  const writer = writerIn(language, settings.timeZone)
  const { t, at } = writer
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
  for (const [name, { columns, rows }] of Object.entries(tables) as [Tabular, Table][]) {
    if (hidden.includes(name)) continue
    pdf.heading(t(`evidence:part.${name}`))
    const cells = rows(evidence, writer)
    if (cells.length === 0) pdf.doc.text(t('evidence:nothing'))
    else
      pdf.table(
        columns.map(([word, width]): PdfColumn => ({ label: t(`evidence:column.${word}`), width })),
        cells,
      )
  }
  return pdf.bytes()
}
