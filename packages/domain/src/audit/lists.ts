import { z } from 'zod'
import { defineList } from '#domain/list.ts'
import { time } from '#entities/define/answer-time.ts'
import { auditKindNames } from './kinds.ts'

const snapshot = z.unknown().nullable()

export const auditEntry = z.object({
  id: z.int(),
  at: time,
  actor: z.object({
    id: z.string().nullable(),
    name: z.string(),
    role: z.string(),
    /** Account viewed as, if not the actor's own. */
    actingAs: z.string().nullable(),
  }),
  action: z.string(),
  subject: z.object({
    type: z.string(),
    id: z.string(),
    /** Current name of the record; empty if deleted. */
    title: z.string().nullable(),
    /** Screen of the record, if any. */
    path: z.string().nullable(),
  }),
  before: snapshot,
  after: snapshot,
  reason: z.string().nullable(),
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
})
export type AuditEntry = z.output<typeof auditEntry>

export const listAudit = defineList({
  name: 'audit',
  path: '/settings/audit',
  access: 'audit-view',
  summary: 'Who did what, newest first',
  words: { title: 'staff-titles:settings-audit', columns: 'audit', filters: 'audit' },
  row: auditEntry,
  columns: {
    what: { width: 32 },
    record: { width: 32 },
    who: { width: 24 },
    at: { word: 'audit:when', kind: 'dateTime', sort: true },
    role: { width: 16, hidden: true },
    ip: { word: 'audit:address', width: 16 },
    requestId: { word: 'audit:request', width: 20, hidden: true },
    reason: { width: 30, hidden: true },
    recordId: { width: 38, hidden: true },
    changes: { width: 60, hidden: true },
  },
  filters: {
    kind: { values: [...auditKindNames, 'reading'], words: 'audit:kinds' },
    /** Days in the university's calendar, both included. */
    from: { kind: 'day' },
    to: { kind: 'day' },
    action: { kind: 'text', most: 100 },
    subjectType: { kind: 'text', most: 100, word: 'audit:recordType' },
    subjectId: { kind: 'text', most: 100, word: 'audit:recordId' },
    actorId: { kind: 'id', table: 'accounts', word: 'audit:actor' },
    ip: { kind: 'text', most: 100, word: 'audit:address' },
  },
  order: '-at',
})
