import crypto from 'node:crypto'
import { type GivenLead, type LeadOrigin, recordLead } from '#server/modules/leads/record-lead.ts'
import type { TestApp } from '#server-test/test-app.ts'

let count = 0

/** Records a person at an event; returns the lead's id, which may be an existing lead. */
export async function aLead(t: TestApp, change: Partial<GivenLead> & { affiliateId?: string } = {}) {
  const { affiliateId = null, ...given } = change
  const now = t.clock.now()
  const origin: LeadOrigin = { kind: 'event', eventId: crypto.randomUUID(), affiliateId }
  const { leadId } = await t.db.transaction().execute((trx) =>
    recordLead(trx, {
      name: `Calon ${'abcdefghij'[count % 10]}${crypto.randomUUID().replace(/[^a-f]/g, '')}`,
      phone: `+628131${String(1_000_000 + ++count)}`,
      email: null,
      birthDate: null,
      schoolId: null,
      schoolName: null,
      major: null,
      programmeId: null,
      wish: null,
      ...given,
      origin,
      consent: { text: 'Saya bersedia dihubungi.', language: 'id', at: now },
      now,
    }),
  )
  return leadId
}
