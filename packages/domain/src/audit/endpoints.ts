import { z } from 'zod'
import { typedDay } from '#entities/define/typed-dates.ts'
import { endpoint } from '../endpoint.ts'
import { exportOf, listOf, listQuery } from '../list.ts'
import { auditKindNames } from './kinds.ts'

const snapshot = z.unknown().nullable()

export const auditEntry = z.object({
  id: z.int(),
  at: z.string(),
  actor: z.object({
    id: z.string().nullable(),
    name: z.string(),
    role: z.string(),
    /** Whose eyes the product was seen with, when they were not the own. */
    actingAs: z.string().nullable(),
  }),
  action: z.string(),
  subject: z.object({
    type: z.string(),
    id: z.string(),
    /** What the record is called now; empty when it is gone. */
    title: z.string().nullable(),
    /** Screen that shows it, where there is one. */
    path: z.string().nullable(),
  }),
  before: snapshot,
  after: snapshot,
  reason: z.string().nullable(),
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
})
export type AuditEntry = z.output<typeof auditEntry>

const word = z.string().trim().min(1).max(100)

export const listAudit = endpoint({
  method: 'GET',
  path: '/settings/audit',
  access: 'audit-view',
  summary: 'Who did what, newest first',
  query: listQuery({
    sorts: ['at'],
    defaultSort: '-at',
    filters: {
      subjectType: word,
      subjectId: word,
      actorId: z.uuid(),
      action: word,
      kind: z.enum([...auditKindNames, 'reading']),
      /** Days of the university, both included. */
      from: typedDay,
      to: typedDay,
      ip: word,
    },
  }),
  response: listOf(auditEntry),
})

export const exportAudit = exportOf(listAudit)
