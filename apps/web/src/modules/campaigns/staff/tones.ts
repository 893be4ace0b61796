import type { CampaignState, RecipientState } from '#domain/campaigns/campaigns.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

export const campaignTones: Record<CampaignState, Tone> = {
  draft: 'waiting',
  planned: 'attention',
  to_approve: 'attention',
  scheduled: 'progress',
  running: 'progress',
  paused: 'attention',
  finished: 'done',
  cancelled: 'stopped',
}

export const recipientTones: Record<RecipientState, Tone> = {
  planned: 'waiting',
  skipped: 'waiting',
  handed: 'progress',
  accepted: 'progress',
  delivered: 'done',
  read: 'done',
  failed: 'stopped',
  uncertain: 'attention',
}
