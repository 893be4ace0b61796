import { describe, expect, it } from 'vitest'
import { screens } from '#domain/campaigns/screens.ts'
import { audienceIn, emptyDraft, previewQuestion, unknownPlaceholders, withAudience } from './draft.ts'

const draft = emptyDraft(screens.registrations)

describe('a draft', () => {
  it('begins with the filters in the URL, without those its audience does not have', () => {
    expect(audienceIn('?status=paid&q=sari&page=3&sort=name&unknown=1', screens.registrations)).toEqual({
      audience: 'registrations',
      filters: { status: 'paid', q: 'sari' },
    })
    expect(audienceIn('?audience=visitors&eventId=7&kind=alumni', screens.marketing)).toEqual({
      audience: 'visitors',
      filters: { eventId: '7' },
    })
  })

  it('for registrations begins with the filter for the current waves', () => {
    expect(draft.filters).toEqual({ queue: 'current' })
    expect(emptyDraft(screens.marketing).filters).toEqual({})
  })

  it('keeps its audience if the URL names none', () => {
    expect(audienceIn('', screens.marketing)).toBeNull()
    expect(audienceIn('?page=2', screens.registrations)).toBeNull()
  })

  it('ignores an audience of another screen', () => {
    expect(audienceIn('?audience=leads&status=paid', screens.registrations)?.audience).toBe('registrations')
  })

  it('for a spreadsheet begins with a purpose that people can opt out of', () => {
    expect(emptyDraft(screens.sheet).purpose).toBe('admission')
    expect(draft.purpose).toBe('service')
  })

  it('drops purpose and channels that the new audience does not have', () => {
    const service = { ...draft, purpose: 'service' as const, ignoresQuietHours: true, filters: { status: 'paid' } }
    const leads = withAudience(service, 'leads')
    expect(leads).toMatchObject({ purpose: 'admission', ignoresQuietHours: false, filters: {} })
    expect(leads.channels).toEqual(['whatsapp', 'email'])
    expect(withAudience({ ...draft, channels: ['inbox'] }, 'leads').channels).toEqual(['whatsapp', 'email'])
  })
})

describe('the preview', () => {
  const texts = { subjectId: 'Halo', subjectEn: 'Hello', bodyId: 'Halo {{name}}', bodyEn: 'Hello {{name}}' }

  it('counts people before there is a text', () => {
    const { body, isComplete, isReady } = previewQuestion(draft, [])
    expect([isComplete, isReady]).toEqual([false, true])
    expect(body.bodyId).toBe('-')
    expect(body).not.toHaveProperty('name')
  })

  it('is complete with texts in both languages, or with a template if WhatsApp is the only channel', () => {
    expect(previewQuestion({ ...draft, ...texts }, []).isComplete).toBe(true)
    expect(previewQuestion({ ...draft, ...texts, bodyEn: ' ' }, []).isComplete).toBe(false)
    expect(previewQuestion({ ...draft, channels: ['whatsapp'], templateId: 'x' }, []).isComplete).toBe(true)
    expect(previewQuestion({ ...draft, channels: ['whatsapp'] }, []).isComplete).toBe(false)
  })

  it('knows the columns of a sheet as placeholders', () => {
    const sheet = { ...draft, ...texts, audience: 'sheet' as const, bodyId: '{{Kelas}} {{Kelsa}}' }
    expect(unknownPlaceholders(sheet, ['Kelas'])).toEqual([{ field: 'bodyId', detail: '{{Kelsa}}' }])
    expect(previewQuestion(sheet, ['Kelas']).isComplete).toBe(false)
  })

  it('waits for a file or an event', () => {
    expect(previewQuestion({ ...draft, audience: 'sheet' }, []).isReady).toBe(false)
    expect(previewQuestion({ ...draft, audience: 'visitors' }, []).isReady).toBe(false)
    expect(previewQuestion({ ...draft, audience: 'visitors', filters: { eventId: '7' } }, []).isReady).toBe(true)
  })
})
