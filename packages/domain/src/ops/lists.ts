import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { finding } from './endpoints.ts'
import { invariantNames } from './invariants.ts'

export const findingStates = ['open', 'gone'] as const

const findingRow = finding.extend({
  /** Same text as `subject.label`. */
  label: z.string(),
  state: z.enum(findingStates),
  /** `stored` and `derived` for display: money as money, statuses in the reader's language. */
  storedText: z.string().nullable(),
  derivedText: z.string().nullable(),
})
export type FindingRow = z.output<typeof findingRow>

export const listFindings = defineList({
  name: 'invariants',
  path: '/ops/findings',
  access: 'ops-invariants',
  summary: 'What checks of the books found: what still differs, or with `state=gone` what is right again',
  words: { title: 'staff-titles:settings-invariants' },
  row: findingRow,
  columns: {
    check: { word: 'ops:check', words: 'ops:checks', sort: true },
    label: { word: 'ops:record', sort: true },
    storedText: { word: 'ops:stored' },
    derivedText: { word: 'ops:derived' },
    state: { word: 'ops:state', words: 'ops:states', hidden: true },
    firstSeenAt: { word: 'ops:firstSeen', kind: 'dateTime', sort: true },
    lastSeenAt: { word: 'ops:lastSeen', kind: 'dateTime', hidden: true },
  },
  filters: {
    check: { values: invariantNames, word: 'ops:check', words: 'ops:checks' },
    state: { values: findingStates, word: 'ops:state', words: 'ops:states' },
  },
  order: '-firstSeenAt',
})
