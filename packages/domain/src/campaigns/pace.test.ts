import { describe, expect, test } from 'vitest'
import { forecastOf } from './forecast.ts'
import { takeSlots, waitingTimes } from './pace.ts'
import { quietFrom, quietUntil } from './quiet-hours.ts'

const at = (time: string) => new Date(time)

describe('slots', () => {
  test.each([1, 7, 20, 60, 600, 4800])(
    'of %i a minute: no minute gets more, however often somebody asks',
    (perMinute) => {
      let next: Date | null = null
      let nowMs = Date.parse('2027-01-04T01:00:00Z')
      const times: number[] = []
      let seed = perMinute
      for (let ask = 0; ask < 2_000 && times.length < 12_000; ask++) {
        seed = (seed * 48_271) % 2_147_483_647
        nowMs += seed % (ask % 50 === 0 ? 90_000 : 700)
        const slots = takeSlots(next, perMinute, 1_000, new Date(nowMs))
        next = slots.nextSlotAt
        for (let one = 0; one < slots.count; one++) times.push(nowMs)
      }
      let first = 0
      let most = 0
      for (let last = 0; last < times.length; last++) {
        while (times[last]! - times[first]! >= 60_000) first++
        most = Math.max(most, last - first + 1)
      }
      expect(most).toBeLessThanOrEqual(perMinute)
      expect(times.length).toBeGreaterThan(5)
    },
  )

  test('are nearly all used by a sender that looks twice a second', () => {
    let next: Date | null = null
    let count = 0
    for (let ms = 0; ms < 600_000; ms += 500) {
      const slots = takeSlots(next, 600, 1_000, new Date(ms))
      next = slots.nextSlotAt
      count += slots.count
    }
    expect(count).toBeGreaterThan(5_850)
  })

  test('messages without one wait for later ones, after messages of their campaign that wait already', () => {
    const first = waitingTimes(at('2027-01-04T01:00:00.200Z'), null, 122, 2)
    expect(first).toEqual([at('2027-01-04T01:00:00.200Z'), at('2027-01-04T01:00:00.700Z')])
    expect(waitingTimes(at('2027-01-04T01:00:00.200Z'), first[1]!, 122, 1)).toEqual([at('2027-01-04T01:00:01.200Z')])
    expect(waitingTimes(at('2027-01-04T01:00:09Z'), first[1]!, 122, 1)).toEqual([at('2027-01-04T01:00:09Z')])
  })
})

describe('quiet hours', () => {
  test('end at 07:00 in the time zone of the recipient', () => {
    expect(quietUntil(at('2027-01-04T13:00:00Z'), 'Asia/Jakarta')).toEqual(at('2027-01-05T00:00:00Z'))
    expect(quietUntil(at('2027-01-04T12:59:59Z'), 'Asia/Jakarta')).toBeNull()
    expect(quietUntil(at('2027-01-04T12:59:59Z'), 'Asia/Makassar')).toEqual(at('2027-01-04T23:00:00Z'))
    expect(quietUntil(at('2027-01-04T11:30:00Z'), 'Asia/Jayapura')).toEqual(at('2027-01-04T22:00:00Z'))
    expect(quietUntil(at('2027-01-04T23:59:59Z'), 'Asia/Jakarta')).toEqual(at('2027-01-05T00:00:00Z'))
    expect(quietUntil(at('2027-01-05T00:00:00Z'), 'Asia/Jakarta')).toBeNull()
  })

  test('begin at 20:00', () => {
    expect(quietFrom(at('2027-01-04T05:00:00Z'), 'Asia/Jakarta')).toEqual(at('2027-01-04T13:00:00Z'))
    const night = at('2027-01-04T18:00:00Z')
    expect(quietFrom(night, 'Asia/Jakarta')).toEqual(night)
  })
})

describe('a forecast', () => {
  const mail = { perMinute: 600, perDay: 20_000, usedToday: 0, dayStartedAt: null }
  const whatsapp = { perMinute: 80, perDay: 2_000, usedToday: 0, dayStartedAt: null }
  const question = {
    ...{ paces: { whatsapp, email: mail }, startsAt: at('2027-10-12T07:00:00Z'), keepsQuietHours: true },
  }
  const waiting = (
    people: Partial<Record<'whatsapp' | 'email' | 'inbox', number>>,
    timeZone = 'Asia/Jakarta',
    dueAt = question.startsAt,
  ) =>
    (['whatsapp', 'email', 'inbox'] as const).flatMap((channel) => {
      const count = people[channel]
      return count ? [{ channel, timeZone, people: count, dueAt }] : []
    })

  test('for 4,120 people at 2,000 a day names the day and minute of its end', () => {
    // 2,000 are sent on Tuesday and 2,000 on Wednesday. The last 120 take 90 seconds on Thursday.
    expect(forecastOf({ ...question, waiting: waiting({ whatsapp: 4_120 }) })).toEqual({
      endsAt: at('2027-10-14T07:01:30Z'),
      limit: 'whatsapp_day',
      perDay: 2_000,
      quietUntil: null,
    })
  })

  test('counts messages already sent in the current day', () => {
    const used = { ...whatsapp, usedToday: 1_900, dayStartedAt: at('2027-10-12T02:00:00Z') }
    expect(
      forecastOf({ ...question, paces: { whatsapp: used, email: mail }, waiting: waiting({ whatsapp: 200 }) }),
    ).toEqual({
      endsAt: at('2027-10-13T02:01:15Z'),
      limit: 'whatsapp_day',
      perDay: 2_000,
      quietUntil: null,
    })
  })

  test('for mails follows the limit per minute', () => {
    expect(forecastOf({ ...question, waiting: waiting({ email: 6_000 }) })).toMatchObject({
      endsAt: at('2027-10-12T07:10:00Z'),
      limit: 'mail_minute',
    })
  })

  test('skips quiet hours', () => {
    const evening = { ...question, startsAt: at('2027-10-12T12:50:00Z') }
    expect(forecastOf({ ...evening, waiting: waiting({ email: 12_000 }) })).toMatchObject({
      endsAt: at('2027-10-13T00:10:00Z'),
      limit: 'quiet_hours',
    })
    expect(forecastOf({ ...evening, keepsQuietHours: false, waiting: waiting({ email: 12_000 }) })).toMatchObject({
      endsAt: at('2027-10-12T13:10:00Z'),
      limit: 'mail_minute',
    })
  })

  test('ends with the slower channel; inbox messages take no time', () => {
    expect(forecastOf({ ...question, waiting: waiting({ whatsapp: 160, email: 60, inbox: 9 }) })).toMatchObject({
      endsAt: at('2027-10-12T07:02:00Z'),
      limit: 'whatsapp_minute',
    })
    expect(forecastOf({ ...question, waiting: waiting({ inbox: 9 }) })).toEqual({
      endsAt: question.startsAt,
      limit: 'none',
      perDay: null,
      quietUntil: null,
    })
  })

  test('has no end if a channel may send nothing', () => {
    const closed = { ...whatsapp, perDay: 0 }
    expect(
      forecastOf({ ...question, paces: { whatsapp: closed, email: mail }, waiting: waiting({ whatsapp: 1 }) }).endsAt,
    ).toBeNull()
  })

  test('waits until quiet hours end in the last time zone; inbox messages do not wait', () => {
    // It is 20:15 in Makassar. Recipients there wait until 07:00, which is 06:00 in Jakarta.
    const evening = { ...question, startsAt: at('2027-10-12T12:15:00Z') }
    const central = waiting({ email: 600 }, 'Asia/Makassar')
    expect(forecastOf({ ...evening, waiting: central })).toMatchObject({
      ...{ endsAt: at('2027-10-12T23:01:00Z'), limit: 'quiet_hours', quietUntil: at('2027-10-12T23:00:00Z') },
    })
    expect(forecastOf({ ...evening, waiting: [...waiting({ email: 600 }), ...central] })).toMatchObject({
      ...{ endsAt: at('2027-10-12T23:01:00Z'), limit: 'quiet_hours', quietUntil: null },
    })
    const night = { ...question, startsAt: at('2027-10-12T17:00:00Z') }
    const both = [...waiting({ email: 600 }), ...waiting({ email: 1_200 }, 'Asia/Jayapura')]
    expect(forecastOf({ ...night, waiting: both })).toMatchObject({
      ...{ endsAt: at('2027-10-13T00:01:00Z'), limit: 'quiet_hours', quietUntil: at('2027-10-12T22:00:00Z') },
    })
    expect(forecastOf({ ...night, waiting: waiting({ inbox: 9 }) })).toMatchObject({
      ...{ endsAt: night.startsAt, quietUntil: null },
    })
  })

  test('shares the pace between a zone whose quiet hours begin and one whose day goes on', () => {
    // From 19:50 to 20:00 in Makassar, 6,000 of 12,000 mails are sent. Half of the rest is for Makassar and waits until
    // 07:00.
    const evening = { ...question, startsAt: at('2027-10-12T11:50:00Z') }
    const both = [...waiting({ email: 6_000 }), ...waiting({ email: 6_000 }, 'Asia/Makassar')]
    expect(forecastOf({ ...evening, waiting: both }).endsAt).toEqual(at('2027-10-12T23:05:00Z'))
  })

  test('begins with the first recipient who is due', () => {
    const later = at('2027-10-12T09:00:00Z')
    const groups = [...waiting({ email: 600 }, 'Asia/Jakarta', later), ...waiting({ email: 600 }, 'Asia/Makassar')]
    expect(forecastOf({ ...question, waiting: groups }).endsAt).toEqual(at('2027-10-12T09:01:00Z'))
  })
})
