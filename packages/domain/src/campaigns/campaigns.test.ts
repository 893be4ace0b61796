import { describe, expect, test } from 'vitest'
import { checkBody } from '#domain/body-check.ts'
import { whatsappProblems } from '#domain/whatsapp/problems.ts'
import { campaigns as en } from '#locales/en/campaigns.ts'
import { campaigns as id } from '#locales/id/campaigns.ts'
import { noteOptOut } from './address-endpoints.ts'
import {
  audiences,
  campaignStates,
  channelsOf,
  failReasons,
  isProgress,
  isStepFrom,
  purposesOf,
  recipientStates,
  skipReasons,
  staffSteps,
} from './campaigns.ts'
import { campaignProblems } from './endpoints.ts'

describe('a campaign', () => {
  test.each(['finished', 'cancelled'] as const)('that is %s takes no step but a retry', (state) => {
    const steps = staffSteps.filter((step) => isStepFrom(step, state))
    expect(steps).toEqual(state === 'finished' ? ['retry'] : [])
  })

  test('can become a draft again until it starts, and is planned from a draft or planned again', () => {
    expect(campaignStates.filter((state) => isStepFrom('edit', state))).toEqual(['planned', 'to_approve', 'scheduled'])
    expect(campaignStates.filter((state) => isStepFrom('plan', state))).toEqual(['draft', 'planned'])
  })

  test('for every audience has a purpose and a channel', () => {
    const texts = {
      subjectId: 'a',
      subjectEn: 'a',
      bodyId: 'a',
      bodyEn: 'a',
      templateId: null,
      ignoresQuietHours: false,
    }
    for (const audience of audiences) {
      const draft = {
        ...texts,
        audience,
        sheetId: 'x',
        purpose: purposesOf[audience][0],
        channels: [...channelsOf[audience]],
      }
      expect(Object.values(campaignProblems(draft)).filter((problem) => problem !== null)).toEqual([])
    }
    const leads = { ...texts, audience: 'leads' as const, purpose: 'service' as const, channels: ['inbox' as const] }
    expect(campaignProblems(leads)).toMatchObject({
      purpose: 'campaign_purpose_not_for_audience',
      channels: 'campaign_channel_not_for_audience',
    })
  })

  test('on WhatsApp alone with a template needs no text of its own', () => {
    const draft = { audience: 'leads' as const, subjectId: '', subjectEn: '', bodyId: '', bodyEn: '' }
    expect(campaignProblems({ ...draft, channels: ['whatsapp'], templateId: 'x' }).bodyId).toBeNull()
    expect(campaignProblems({ ...draft, channels: ['whatsapp', 'email'], templateId: 'x' }).bodyId).toBe(
      'field_required',
    )
    expect(campaignProblems({ ...draft, channels: ['whatsapp'], templateId: null }).bodyId).toBe('field_required')
  })
})

test('every skip and failure reason has a sentence', () => {
  for (const reason of [...skipReasons, ...failReasons, ...Object.keys(whatsappProblems)])
    for (const words of [en.reason, id.reason] as Record<string, string>[]) expect(words[reason], reason).toBeTruthy()
})

test('a recipient’s state never goes back', () => {
  const order = recipientStates.filter((state) => ['handed', 'accepted', 'delivered', 'read'].includes(state))
  for (const [before, state] of order.entries())
    for (const [after, reported] of order.entries()) expect(isProgress(state, reported)).toBe(after > before)
  expect(isProgress('delivered', 'failed')).toBe(false)
  expect(isProgress('uncertain', 'failed')).toBe(true)
  expect(isProgress('failed', 'read')).toBe(true)
})

test.each([
  ['0812 3456', ['address', 'note', 'purpose']],
  ['nama@', ['address', 'note', 'purpose']],
  ['8123456789', ['note', 'purpose']],
  ['Nama@Example.com', ['note', 'purpose']],
])('an opt-out of %s says at once all that is wrong with it', (address, fields) => {
  const { issues, problems } = checkBody(noteOptOut, { address, purpose: null, note: '' }, new Date())
  expect([...issues.map(({ path }) => path[0]), ...Object.keys(problems)].toSorted()).toEqual(fields)
})
