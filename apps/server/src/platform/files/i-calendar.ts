export type CalendarEvent = {
  uid: string
  /** Increases with each change to the event. */
  sequence: number
  stamp: Date
  startsAt: Date
  endsAt: Date
  summary: string
  location: string
  url: string
}

/** Format `20261130T060000Z`. */
const utc = (at: Date) => `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

const escapeText = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')

/** Folds a line after at most 75 octets, without splitting a character (RFC 5545, 3.1). */
function fold(line: string): string {
  const lines = ['']
  let octets = 0
  for (const character of line) {
    const length = Buffer.byteLength(character)
    if (octets + length > 75) {
      lines.push(' ')
      octets = 1
    }
    lines[lines.length - 1] += character
    octets += length
  }
  return lines.join('\r\n')
}

const linesOf = ({ uid, sequence, stamp, startsAt, endsAt, summary, location, url }: CalendarEvent) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  `SEQUENCE:${sequence}`,
  `DTSTAMP:${utc(stamp)}`,
  `DTSTART:${utc(startsAt)}`,
  `DTEND:${utc(endsAt)}`,
  `SUMMARY:${escapeText(summary)}`,
  ...(location ? [`LOCATION:${escapeText(location)}`] : []),
  `URL:${url}`,
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `DESCRIPTION:${escapeText(summary)}`,
  'TRIGGER:-P1D',
  'END:VALARM',
  'END:VEVENT',
]

/**
 * A file of events, each with a reminder a day before (RFC 5545). Times are in UTC, which every calendar shows in the
 * zone of its device.
 */
export const iCalendarOf = (events: readonly CalendarEvent[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//PMB Online//Schedule//EN',
    'METHOD:PUBLISH',
    ...events.flatMap(linesOf),
    'END:VCALENDAR',
    '',
  ]
    .map(fold)
    .join('\r\n')

/** A file with one event. */
export const iCalendar = (event: CalendarEvent) => iCalendarOf([event])
