import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let clerk: TestActor
let other: TestActor
beforeAll(async () => {
  t = await testApp()
  clerk = await asStaff(t, 'Panitia PMB')
  other = await asStaff(t, 'Panitia PMB')
})
afterAll(() => t.close())

const save = (actor: TestActor, name: string, isDefault = false) =>
  actor.post('/views', { list: 'prodi', name, query: 'active=true&sort=-name', columns: ['name', 'code'], isDefault })
const namesOf = async (actor: TestActor, list = 'prodi') =>
  (await actor.get(`/views?list=${list}`)).json().data.map(({ name }: { name: string }) => name)

describe('saved views', () => {
  test('are stored per account and list', async () => {
    const saved = await save(clerk, 'Hanya aktif')
    expect(saved.statusCode, saved.body).toBe(201)
    expect(saved.json().data).toMatchObject({ name: 'Hanya aktif', columns: ['name', 'code'], isDefault: false })
    expect(await namesOf(clerk)).toEqual(['Hanya aktif'])
    expect(await namesOf(clerk, 'jalur')).toEqual([])
    expect(await namesOf(other)).toEqual([])
  })

  test('refuse a duplicate name, ignoring case, beside the name; another account may use it', async () => {
    expect((await save(clerk, 'Punya saya')).statusCode).toBe(201)
    const again = await save(clerk, 'PUNYA SAYA')
    expect(again.statusCode).toBe(422)
    expect(again.json().errors.name).toHaveLength(1)
    expect((await save(other, 'Punya saya')).statusCode).toBe(201)
  })

  test('have one default per list', async () => {
    const first = (await save(clerk, 'Satu', true)).json().data
    await save(clerk, 'Dua', true)
    const views = (await clerk.get('/views?list=prodi')).json().data as { id: string; isDefault: boolean }[]
    expect(views.filter(({ isDefault }) => isDefault)).toHaveLength(1)
    expect(views.find(({ id }) => id === first.id)!.isDefault).toBe(false)
  })

  test('are changed and deleted by their owner only', async () => {
    const { id } = (await save(clerk, 'Sementara')).json().data
    const change = { name: 'Diganti', query: '', columns: [], isDefault: false }
    expect((await other.put(`/views/${id}`, change)).statusCode).toBe(404)
    expect((await other.delete(`/views/${id}`)).statusCode).toBe(404)
    expect((await clerk.put(`/views/${id}`, change)).json().data.name).toBe('Diganti')
    expect((await clerk.delete(`/views/${id}`)).statusCode).toBe(200)
    expect((await clerk.delete(`/views/${id}`)).statusCode).toBe(404)
    expect(await namesOf(clerk)).not.toContain('Diganti')
  })
})

describe('views saved in parallel', () => {
  test('as defaults leave one default view, and none is refused', async () => {
    const clerk = await asStaff(t, 'Panitia PMB')
    const saved = await Promise.all(Array.from({ length: 20 }, (_, index) => save(clerk, `Baku ${index}`, true)))
    expect(saved.map(({ statusCode }) => statusCode)).toEqual(saved.map(() => 201))
    const changed = await Promise.all(
      saved.map((answer, index) =>
        clerk.put(`/views/${answer.json().data.id}`, {
          name: `Baku ${index}`,
          query: '',
          columns: [],
          isDefault: true,
        }),
      ),
    )
    expect(changed.map(({ statusCode }) => statusCode)).toEqual(changed.map(() => 200))
    const views = (await clerk.get('/views?list=prodi')).json().data as { isDefault: boolean }[]
    expect(views.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })

  test('stop at fifty per list and a thousand per account', async () => {
    const clerk = await asStaff(t, 'Panitia PMB')
    const rowsOf = (list: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...{ accountId: clerk.accountId, list, name: `Tampilan ${index}`, query: '', columns: [] },
      }))
    await t.owner.insertInto('savedViews').values(rowsOf('prodi', 45)).execute()
    const saved = await Promise.all(Array.from({ length: 12 }, (_, index) => save(clerk, `Bersama ${index}`)))
    expect(saved.filter(({ statusCode }) => statusCode === 201)).toHaveLength(5)
    expect(saved.filter(({ statusCode }) => statusCode === 409).map((answer) => answer.json().code)).toEqual(
      Array.from({ length: 7 }, () => 'too_many_views'),
    )
    const others = Array.from({ length: 19 }, (_, index) => rowsOf(`daftar-${index}`, 50)).flat()
    await t.owner.insertInto('savedViews').values(others).execute()
    const again = await clerk.post('/views', { list: 'jalur', name: 'Satu lagi', query: '', columns: [] })
    expect([again.statusCode, again.json().code]).toEqual([409, 'too_many_views'])
    expect(again.json().message).toContain('1000')
  })
})
