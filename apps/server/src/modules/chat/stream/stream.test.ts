import crypto from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChatEvent } from '#domain/chat/endpoints.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let other: TestApp
let urls: string[]
beforeAll(async () => {
  t = await testApp()
  other = await testApp({ sameDatabaseAs: t })
  urls = await Promise.all(
    [t, other].map(async ({ app }) => {
      await app.listen({ port: 0, host: '127.0.0.1' })
      return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    }),
  )
})
afterAll(async () => {
  await other.close()
  await t.close()
})

type Stream = {
  events: ChatEvent[]
  cursor: () => string | undefined
  reloads: () => number
  status: number
  end(): void
  ended: Promise<void>
}

/** Opens a stream at one of the two servers. */
async function listen(actor: TestActor, server = 0, after?: string): Promise<Stream> {
  const cut = new AbortController()
  const response = await fetch(`${urls[server]}/api/chat/stream${after === undefined ? '' : `?after=${after}`}`, {
    headers: { authorization: `Bearer ${actor.token}` },
    signal: cut.signal,
  })
  const events: ChatEvent[] = []
  let cursor: string | undefined
  let reloads = 0
  const read = async () => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body!) {
      const parts = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n')
      rest = parts.pop()!
      for (const part of parts) {
        const id = /^id: (.*)$/m.exec(part)?.[1]
        const data = /^data: (.*)$/m.exec(part)?.[1]
        if (part.includes('event: reload')) reloads++
        else if (data) events.push(...(JSON.parse(data) as ChatEvent[]))
        if (id !== undefined) cursor = id
      }
    }
  }
  const ended = read().catch(() => {})
  if (response.ok) await expect.poll(() => cursor, { timeout: 5_000 }).toBeDefined()
  return {
    events,
    cursor: () => cursor,
    reloads: () => reloads,
    status: response.status,
    end: () => cut.abort(),
    ended,
  }
}

async function listenBriefly(actor: TestActor) {
  const stream = await listen(actor)
  stream.end()
  return stream
}

const write = (actor: TestActor, body: string) => actor.post('/chat/own/messages', { id: crypto.randomUUID(), body })
const numbersOf = ({ events }: Stream) => events.filter(({ kind }) => kind === 'message').map(({ seq }) => seq)

describe('a stream', () => {
  test('tells both sides at both servers of a message, and the person nothing of notes', async () => {
    const [sari, staff] = [await asApplicant(t), await asStaff(t, 'Panitia PMB')]
    const [person, near, far] = [await listen(sari), await listen(staff, 0), await listen(staff, 1)]
    await write(sari, 'Halo')
    const id = (await sari.get('/chat/own')).json().data.id as string
    const send = (body: string, note: boolean) =>
      staff.post(`/chat/conversations/${id}/messages`, { id: crypto.randomUUID(), body, note, seenSeq: 9 })
    await send('Hanya untuk kami', true)
    await send('Halo juga', false)
    for (const stream of [near, far]) await expect.poll(() => numbersOf(stream), { timeout: 5_000 }).toEqual([1, 2, 3])
    await expect.poll(() => numbersOf(person), { timeout: 5_000 }).toEqual([1, 2])
    expect(person.events.every(({ by }) => by === null || by === sari.accountId)).toBe(true)
    for (const stream of [person, near, far]) stream.end()
  })

  test('tells nobody of conversations that they do not see', async () => {
    const { programmes } = await academicOf(t)
    const [sari, budi] = [await asApplicant(t, { profile: true }), await asApplicant(t)]
    await aRegistration(t, { status: 'paid', choices: [programmes[0]], applicant: sari })
    const limited = (programme: string) => asWithPermissions(t, ['private-chat'], { programmeIds: [programme] })
    const streams = await Promise.all(
      [budi, await limited(programmes[0]), await limited(programmes[1])].map((actor) => listen(actor)),
    )
    await write(sari, 'Halo')
    await expect.poll(() => numbersOf(streams[1]!), { timeout: 5_000 }).toEqual([1])
    expect(streams.map(numbersOf)).toEqual([[], [1], []])
    for (const stream of streams) stream.end()
  })

  test('cut again and again misses nothing: a person asks from the last cursor', async () => {
    const [sari, staff] = [await asApplicant(t), await asStaff(t, 'Panitia PMB')]
    await write(sari, 'Halo')
    const id = (await sari.get('/chat/own')).json().data.id as string
    const answer = () =>
      staff.post(`/chat/conversations/${id}/messages`, { id: crypto.randomUUID(), body: 'Jawaban', seenSeq: 1 })
    const seen = new Set<number>()
    let cursor = (await listenBriefly(sari)).cursor()
    for (let cut = 0; cut < 100; cut++) {
      const [stream] = await Promise.all([listen(sari, cut % 2, cursor), answer()])
      if (cut % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 40))
      for (const seq of numbersOf(stream)) seen.add(seq!)
      cursor = stream.cursor()
      stream.end()
      expect(stream.reloads()).toBe(0)
    }
    const last = await listen(sari, 0, cursor)
    const expected = Array.from({ length: 100 }, (_, index) => index + 2)
    await expect
      .poll(() => expected.filter((seq) => !seen.has(seq) && !numbersOf(last).includes(seq)), { timeout: 5_000 })
      .toEqual([])
    last.end()
  }, 60_000)

  test('does not skip a message whose transaction commits after a later one', async () => {
    const [sari, budi, staff] = [await asApplicant(t), await asApplicant(t), await asStaff(t, 'Panitia PMB')]
    await write(sari, 'Satu')
    const id = (await sari.get('/chat/own')).json().data.id as string
    const stream = await listen(staff)
    const insert = (db: typeof t.owner, seq: number) =>
      sql`INSERT INTO chat_events (conversation_id, kind, seq, public_seq, at) VALUES (${id}, 'message', ${seq}, ${seq}, now())`.execute(
        db,
      )
    await t.owner.transaction().execute(async (tx) => {
      await insert(tx as never, 77)
      await write(budi, 'Menyalip')
      const budisId = (await budi.get('/chat/own')).json().data.id as string
      await expect
        .poll(() => stream.events.some(({ conversation }) => conversation === budisId), { timeout: 5_000 })
        .toBe(true)
    })
    await expect.poll(() => numbersOf(stream), { timeout: 5_000 }).toContain(77)
    stream.end()
  })

  test('with an unknown, forged or outdated cursor is told to read anew, and harms nobody', async () => {
    const [sari, budi] = [await asApplicant(t), await asApplicant(t)]
    const healthy = await listen(budi)
    for (const after of ['99999999999999', 'abc', '-1', "1'--", '999999999999999999']) {
      const stream = await listen(sari, 0, encodeURIComponent(after))
      expect(stream.reloads(), after).toBe(1)
      stream.end()
    }
    await write(budi, 'Masih jalan')
    await expect.poll(() => numbersOf(healthy), { timeout: 5_000 }).toEqual([1])
    healthy.end()
  })

  test('ends with its session, and a browser may have a dozen at most', async () => {
    const sari = await asApplicant(t)
    const streams = await Promise.all(Array.from({ length: 12 }, () => listen(sari)))
    expect((await listen(sari)).status).toBe(429)
    await sari.post('/logout')
    await Promise.all(streams.map(({ ended }) => ended))
  }, 30_000)
})
