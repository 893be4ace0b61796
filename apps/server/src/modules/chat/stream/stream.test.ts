import crypto from 'node:crypto'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
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

/** Opens a stream at one of the two servers; waits for its first cursor unless `waits` is false. */
async function listen(actor: TestActor, server = 0, after?: string, waits = true): Promise<Stream> {
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
        if (cursor !== undefined) first.resolve()
      }
    }
  }
  const first = Promise.withResolvers<void>()
  const ended = read().catch(() => {})
  ended.then(() => first.resolve())
  if (response.ok && waits) await first.promise
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
const numbersOf = ({ events }: Stream, id?: string) =>
  events
    .filter(({ kind, conversation }) => kind === 'message' && (id === undefined || conversation === id))
    .map(({ seq }) => seq)

describe('a stream', () => {
  test('tells both sides of a message on either server, and tells the person nothing of notes', async () => {
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

  test('tells nobody of conversations they do not see', async () => {
    const { programmes } = await academicOf(t)
    const [sari, budi] = [await asApplicant(t, { profile: true }), await asApplicant(t)]
    await aRegistration(t, { status: 'paid', choices: [programmes[0]], applicant: sari })
    const limited = (programme: string) => asWithPermissions(t, ['private-chat'], { programmeIds: [programme] })
    const streams = await Promise.all(
      [budi, await limited(programmes[0]), await limited(programmes[1])].map((actor) => listen(actor)),
    )
    await write(sari, 'Halo')
    await expect.poll(() => numbersOf(streams[1]!), { timeout: 5_000 }).toEqual([1])
    expect(streams.map((stream) => numbersOf(stream))).toEqual([[], [1], []])
    for (const stream of streams) stream.end()
  })

  test('cut a thousand times across two servers brings every message to the screen once', async () => {
    const sari = await asApplicant(t)
    const clerks = [await asStaff(t, 'Panitia PMB'), await asStaff(t, 'Panitia PMB')]
    await write(sari, 'Halo')
    const id = (await sari.get('/chat/own')).json().data.id as string
    let count = 1
    const answer = async () => {
      const body = `Jawaban ${++count}`
      const content = { id: crypto.randomUUID(), body, seenSeq: 999 }
      const sent = await clerks[count % 2]!.post(`/chat/conversations/${id}/messages`, content)
      expect(sent.statusCode).toBe(200)
    }
    /** Texts on the client's screen. `readOn` fetches more after a reload or a newer message. */
    const screen = ['Halo']
    const readOn = async ({ events, reloads }: Stream) => {
      if (reloads() === 0 && !events.some(({ kind, seq }) => kind === 'message' && seq! > screen.length)) return
      const { data } = (await sari.get(`/chat/own/messages?after=${screen.length}`)).json()
      for (const { body } of data) screen.push(body)
    }
    let cursor = (await listenBriefly(sari)).cursor()
    let reloads = 0
    for (let cut = 0; cut < 1_000; cut++) {
      const [stream] = await Promise.all([
        listen(sari, cut % 2, cursor, cut % 4 > 0),
        cut % 5 === 0 ? answer() : undefined,
      ])
      if (cut % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 200))
      await readOn(stream)
      reloads += stream.reloads()
      cursor = stream.cursor() ?? cursor
      stream.end()
    }
    const last = await listen(sari, 0, cursor)
    const expected = ['Halo', ...Array.from({ length: 200 }, (_, index) => `Jawaban ${index + 2}`)]
    await expect
      .poll(
        async () => {
          await readOn(last)
          return screen
        },
        { timeout: 5_000 },
      )
      .toEqual(expected)
    expect(reloads).toBe(0)
    last.end()
  }, 120_000)

  test('sends what arrived while it caught up', async () => {
    const [sari, staff] = [await asApplicant(t), await asStaff(t, 'Panitia PMB')]
    await write(sari, 'Satu')
    const cursor = (await listenBriefly(staff)).cursor()
    const id = (await sari.get('/chat/own')).json().data.id as string
    for (let round = 0; round < 20; round++) {
      const [stream] = await Promise.all([listen(staff, 0, cursor), write(sari, `Pesan ${round}`)])
      // The catch-up or the hub announces a message, but not both.
      await expect
        .poll(
          () =>
            numbersOf(stream, id)
              .filter((seq) => seq! > 1)
              .sort((one, other) => one! - other!),
          { timeout: 5_000 },
        )
        .toEqual(Array.from({ length: round + 1 }, (_, index) => index + 2))
      stream.end()
    }
  }, 30_000)

  test('does not skip a message that commits after a later one, however late and after however many cuts', async () => {
    const [sari, budi, staff] = [await asApplicant(t), await asApplicant(t), await asStaff(t, 'Panitia PMB')]
    await write(sari, 'Satu')
    await write(budi, 'Dua')
    const [id, budisId] = await Promise.all(
      [sari, budi].map(async (person) => (await person.get('/chat/own')).json().data.id as string),
    )
    const stream = await listen(staff)
    let cursor: string | undefined
    await t.owner.transaction().execute(async (tx) => {
      await sql`UPDATE conversations SET created_at = created_at WHERE id = ${id}`.execute(tx)
      await sql`INSERT INTO chat_events (conversation_id, kind, seq, public_seq, at)
        VALUES (${id}, 'message', 77, 77, now())`.execute(tx)
      await write(budi, 'Menyalip')
      await expect.poll(() => numbersOf(stream, budisId), { timeout: 5_000 }).toContain(2)
      cursor = stream.cursor()
    })
    await expect.poll(() => numbersOf(stream, id), { timeout: 5_000 }).toContain(77)
    const [near, far] = [await listen(staff, 0, cursor), await listen(staff, 1, cursor)]
    for (const one of [near, far]) expect(numbersOf(one, id)).toContain(77)
    for (const one of [stream, near, far]) one.end()
  })

  test('moves its cursor past a rolled-back number once no transaction can commit it', async () => {
    const [sari, staff] = [await asApplicant(t), await asStaff(t, 'Panitia PMB')]
    const stream = await listen(staff)
    const insert = sql`INSERT INTO chat_events (conversation_id, kind, at) VALUES (gen_random_uuid(), 'state', now())`
    await t.owner
      .transaction()
      .execute(async (tx) => {
        await insert.execute(tx)
        throw new Error('rolled back')
      })
      .catch(() => {})
    await write(sari, 'Halo')
    const id = (await sari.get('/chat/own')).json().data.id as string
    await expect.poll(() => numbersOf(stream, id), { timeout: 5_000 }).toEqual([1])
    const { rows } = await sql<{ newest: string }>`SELECT max(id)::text AS newest FROM chat_events`.execute(t.db)
    // The number counts as missing while an older transaction runs in the PostgreSQL cluster, even in another test's
    // database.
    await expect
      .poll(
        async () => {
          await write(sari, 'Lagi')
          return BigInt(stream.cursor()!) > BigInt(rows[0]!.newest)
        },
        { timeout: 60_000, interval: 300 },
      )
      .toBe(true)
    stream.end()
  })

  test('with an unknown, forged or expired cursor is told to reload, and disturbs nobody', async () => {
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

  test('ends for staff who lose permission, account or session, while others keep listening', async () => {
    const [unentitled, inactive, expired, entitled] = [
      await asWithPermissions(t, ['private-chat']),
      await asStaff(t, 'Panitia PMB'),
      await asStaff(t, 'Panitia PMB'),
      await asStaff(t, 'Panitia PMB'),
    ]
    const streams = await Promise.all([unentitled, inactive, expired].map((actor) => listen(actor)))
    const healthy = await listen(entitled)
    await sql`DELETE FROM role_permissions WHERE role_id = (SELECT role_id FROM accounts
      WHERE id = ${unentitled.accountId})`.execute(t.db)
    await t.db.updateTable('accounts').set({ active: false }).where('id', '=', inactive.accountId).execute()
    await t.db
      .updateTable('sessions')
      .set({ expiresAt: new Date('2020-01-01') })
      .where('accountId', '=', expired.accountId)
      .execute()
    t.services.sessions.forget()
    await Promise.all(streams.map(({ ended }) => ended))
    const sari = await asApplicant(t)
    await write(sari, 'Halo')
    const id = (await sari.get('/chat/own')).json().data.id as string
    await expect.poll(() => numbersOf(healthy, id), { timeout: 5_000 }).toEqual([1])
    expect(streams.map((stream) => numbersOf(stream, id))).toEqual([[], [], []])
    healthy.end()
  }, 30_000)

  test('is cut if its reader does not read, and other readers lose nothing', async () => {
    const [slow, quick] = [await asStaff(t, 'Panitia PMB'), await asStaff(t, 'Panitia PMB')]
    const socket = net.connect((t.app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(`GET /api/chat/stream HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${slow.token}\r\n\r\n`)
    await once(socket, 'readable')
    const stream = await listen(quick)
    const { rows } = await sql<{ id: string }>`SELECT id FROM conversations WHERE kind = 'room'`.execute(t.db)
    await sql`INSERT INTO chat_events (conversation_id, kind, seq, at)
      SELECT ${rows[0]!.id}, 'state', n, now() FROM generate_series(1, 100000) n`.execute(t.db)
    await expect.poll(() => stream.events.length, { timeout: 20_000 }).toBe(100_000)
    const closed = once(socket, 'close')
    socket.on('error', () => {})
    socket.resume()
    await closed
    stream.end()
  }, 60_000)

  test('shows nothing of other programmes to a role that is limited while it listens', async () => {
    const { programmes } = await academicOf(t)
    const agent = await asWithPermissions(t, ['private-chat'])
    const stream = await listen(agent)
    const sari = await asApplicant(t)
    await sql`INSERT INTO role_scopes (role_id, programme_id) SELECT role_id, ${programmes[0]}::uuid FROM accounts
      WHERE id = ${agent.accountId}`.execute(t.db)
    t.services.sessions.forget()
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    await write(sari, 'Halo')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(numbersOf(stream)).toEqual([])
    stream.end()
  }, 30_000)

  test('ends with its session, and a browser may open twelve at most', async () => {
    const sari = await asApplicant(t)
    const streams = await Promise.all(Array.from({ length: 12 }, () => listen(sari)))
    expect((await listen(sari)).status).toBe(429)
    await sari.post('/logout')
    await Promise.all(streams.map(({ ended }) => ended))
  }, 30_000)
})
