import { newPdf } from '#server/platform/files/pdf.ts'
import type { SheetContents, SheetRoom } from './sheet-contents.ts'

/** Facts at the head of a list: session, time, place and room. */
const factsOf = ({ t, session, when }: SheetContents, room?: SheetRoom): [string, string][] => [
  [t('test-sessions:session'), session.name],
  [t('test-sessions:print.when'), when],
  [t('test-sessions:print.place'), session.location],
  ...(room?.name ? [[t('test-sessions:print.room'), room.name] as [string, string]] : []),
]

/** Attendance lists. Each room with people starts on a new page and has a line for each signature. */
export async function drawAttendance(contents: SheetContents) {
  const { t, settings, logo, rooms, printed } = contents
  const pdf = await newPdf({ title: t('test-sessions:print.attendance'), settings, logo, footer: printed })
  const usedRooms = rooms.filter(({ people }) => people.length > 0)
  if (usedRooms.length === 0) {
    pdf.facts(factsOf(contents, rooms.length === 1 ? rooms[0] : undefined))
    pdf.doc.moveDown(1).text(t('test-sessions:print.nobody'))
  }
  for (const [index, room] of usedRooms.entries()) {
    if (index > 0) pdf.doc.addPage()
    pdf.facts([...factsOf(contents, room), [t('test-sessions:print.people'), String(room.people.length)]])
    pdf.doc.moveDown(0.5)
    pdf.table(
      [
        { label: t('test-sessions:print.number'), width: 30, align: 'right' },
        { label: t('test-sessions:print.seat'), width: 45 },
        { label: t('test-sessions:print.code'), width: 90 },
        { label: t('test-sessions:print.name'), width: 190 },
        { label: t('test-sessions:print.signature'), width: 130 },
      ],
      // The empty lines of the last column leave room to sign.
      room.people.map((person, row) => [String(row + 1), person.seat, person.code, person.name, '\n\n']),
    )
    pdf.doc.moveDown(1).text(t('test-sessions:print.supervisor'))
    pdf.doc.moveDown(3).text('________________________')
  }
  return pdf.bytes()
}

/** Minutes of the session: people expected, present and absent by room, and space for remarks and signatures. */
export async function drawMinutes(contents: SheetContents) {
  const { t, settings, logo, rooms, printed } = contents
  const pdf = await newPdf({ title: t('test-sessions:print.minutes'), settings, logo, footer: printed })
  pdf.facts(factsOf(contents))
  const countIn = (room: SheetRoom, status: 'attended' | 'absent') =>
    room.people.filter((person) => person.status === status).length
  const lines = rooms.map((room) => [
    room.name ?? t('test-sessions:print.noRoom'),
    ...[room.capacity, room.people.length, countIn(room, 'attended'), countIn(room, 'absent')].map(String),
  ])
  const sums = [1, 2, 3, 4].map((column) => String(lines.reduce((sum, line) => sum + Number(line[column]), 0)))
  pdf.heading(t('test-sessions:print.counts'))
  pdf.table(
    [
      { label: t('test-sessions:print.room'), width: 180 },
      ...(['capacity', 'expected', 'present', 'absent'] as const).map((key) => ({
        label: t(`test-sessions:print.${key}`),
        width: 75,
        align: 'right' as const,
      })),
    ],
    [...lines, [t('test-sessions:print.total'), ...sums]],
  )
  pdf.heading(t('test-sessions:print.remarks'))
  const { doc, left, width } = pdf
  for (let line = 0; line < 6; line++) {
    doc.y += 22
    doc
      .moveTo(left, doc.y)
      .lineTo(left + width, doc.y)
      .lineWidth(0.5)
      .stroke('#a1a5b7')
  }
  doc.y += 24
  drawSignatures(contents, pdf)
  return pdf.bytes()
}

/** Two supervisors and the head of the committee, side by side. */
function drawSignatures({ t, settings }: SheetContents, { doc, left, width }: Awaited<ReturnType<typeof newPdf>>) {
  if (doc.y > doc.page.height - 180) doc.addPage()
  const top = doc.y
  const signers = [
    [t('test-sessions:print.supervisorOf', { number: 1 }), ''],
    [t('test-sessions:print.supervisorOf', { number: 2 }), ''],
    [settings.signatoryTitle, settings.signatoryName],
  ] as const
  for (const [index, [title, name]] of signers.entries()) {
    const column = { width: width / 3 - 12 }
    const x = left + (index * width) / 3
    doc.fontSize(9).fillColor('#1e1e2d').text(title, x, top, column)
    doc
      .moveTo(x, top + 90)
      .lineTo(x + column.width, top + 90)
      .lineWidth(0.5)
      .stroke('#1e1e2d')
    if (name) doc.text(name, x, top + 94, column)
  }
}
