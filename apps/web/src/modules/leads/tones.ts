import type { LeadStage } from '#domain/leads/leads.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

export const leadTones: Record<LeadStage, Tone> = {
  new: 'attention',
  contacted: 'progress',
  interested: 'progress',
  registered: 'done',
  not_interested: 'stopped',
  unreachable: 'waiting',
}

export const leadPath = (id: string) => `/marketing/prospek/${id}`
export const myCallsPath = '/marketing/prospek?queue=my-calls&sort=nextContactOn'
