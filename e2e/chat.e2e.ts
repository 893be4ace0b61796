import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { as, type DemoPerson, someoneWho } from './support/demo-people.ts'
import { goTo } from './support/go-to.ts'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type Person, type World } from './support/world.ts'

const kata = wordsOf('id')
const say = wordsOf('en')

let world: World
let db: pg.Client
let person: DemoPerson
beforeAll(async () => {
  world = await openWorld()
  db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
  person = await someoneWho(
    world,
    `r.status = 'submitted' AND NOT EXISTS (SELECT FROM conversations v WHERE v.account_id = a.id)`,
  )
})
afterAll(async () => {
  await db?.end()
  await world?.close()
})

const log = ({ page }: Person) => page.getByRole('log')
const message = (reader: Person, text: string) => log(reader).getByRole('listitem').filter({ hasText: text })
const write = async ({ page }: Person, field: string, text: string, button: string) => {
  await page.getByRole('textbox', { name: field, exact: true }).fill(text)
  await page.getByRole('button', { name: button, exact: true }).click()
}
const writeToOffice = (phone: Person, text: string) => write(phone, kata('chat:message'), text, kata('chat:send'))
const answer = (office: Person, text: string) => write(office, say('inbox:answer'), text, say('chat:send'))

/** Waits until the server has stored the writer's message; its reader may have seen it already. */
const waitUntilStored = (writer: Person, text: string, words = kata) =>
  message(writer, text)
    .getByText(new RegExp(`${words('chat:sent')}|${words('chat:read')}`))
    .waitFor()

const storedTexts = async () =>
  (
    await db.query<{ body: string }>(
      `SELECT m.body FROM chat_messages m JOIN conversations v ON v.id = m.conversation_id
        JOIN registrations r ON r.account_id = v.account_id
       WHERE r.id = $1 AND m.public_seq IS NOT NULL ORDER BY m.public_seq`,
      [person.id],
    )
  ).rows.map(({ body }) => body)

/** Opens the "Ask us" drawer from the bar at the bottom of a phone. */
async function openDrawer({ page }: Person) {
  await page
    .getByRole('button', { name: new RegExp(`^${kata('navigation:ask')}`) })
    .last()
    .click()
  await page.getByRole('dialog').getByRole('log').waitFor()
}

test('a phone and the office write to each other while the connection drops, answers are lost and the page is left: every message arrives once', async () => {
  const phone = await world.person({ width: 360, language: 'id' })
  const office = await world.person({ width: 1280, language: 'en' })
  await world.keepPicturesOnFailure('chat', [phone, office], async () => {
    await signInAs(office, say, 'panitia')
    await goTo(office.page, '/chat/private-chat')
    await office.page.getByRole('heading', { name: say('inbox:title'), level: 1 }).waitFor()
    await office.checkPage('chat/private-chat')

    await signInAs(phone, kata, person.account)
    await goTo(phone.page, '/dashboard')
    await openDrawer(phone)
    await phone.page.getByText(kata('chat:about')).waitFor()
    await phone.checkPage('ask us: nothing yet')
    await writeToOffice(phone, 'Apakah pembayaran saya sudah masuk?')
    await waitUntilStored(phone, 'Apakah pembayaran')

    // The inbox updates without a reload.
    const row = office.page.getByRole('link').filter({ hasText: person.name })
    await row.waitFor()
    await row.click()
    await message(office, 'Apakah pembayaran').waitFor()
    await office.page.getByRole('button', { name: say('inbox:take'), exact: true }).click()
    await office.page.getByText(say('inbox:yours')).first().waitFor()
    await answer(office, 'Sudah, terima kasih.')
    await message(phone, 'Sudah, terima kasih.').waitFor()
    await message(phone, 'Apakah pembayaran').getByText(kata('chat:read')).waitFor()
    await message(office, 'Sudah, terima kasih.').getByText(say('chat:read')).waitFor()
    await office.checkPage('chat/private-chat: conversation')

    // Notes are visible only to the office.
    await office.page.getByText(say('inbox:note'), { exact: true }).first().click()
    await write(office, say('inbox:note'), 'Bukti transfer sudah dicek.', say('inbox:addNote'))
    await message(office, 'Bukti transfer').waitFor()
    await office.page.getByText(say('inbox:answer'), { exact: true }).first().click()

    await phone.context.setOffline(true)
    await writeToOffice(phone, 'Tanpa jaringan satu')
    await writeToOffice(phone, 'Tanpa jaringan dua')
    await message(phone, 'Tanpa jaringan dua').getByText(kata('chat:waitingForNetwork')).waitFor()
    await phone.checkPage('ask us: no network')
    for (const number of [1, 2, 3]) await answer(office, `Selama Anda pergi ${number}`)
    await waitUntilStored(office, 'Selama Anda pergi 3', say)
    await phone.context.setOffline(false)
    await message(phone, 'Selama Anda pergi 3').waitFor()
    await waitUntilStored(phone, 'Tanpa jaringan dua')
    await message(office, 'Tanpa jaringan dua').waitFor()

    // The server stores a message but its answer is lost; the page is left before the next attempt.
    let lostAnswers = 0
    let losesAnswers = true
    await phone.context.route('**/api/chat/own/messages', async (route) => {
      if (!losesAnswers || route.request().method() !== 'POST') return route.continue()
      lostAnswers++
      await route.fetch().catch(() => {})
      // The page, and with it its request, may be gone by then.
      await route.abort().catch(() => {})
    })
    await writeToOffice(phone, 'Jawaban yang hilang')
    await writeToOffice(phone, 'Menunggu giliran')
    await message(office, 'Jawaban yang hilang').waitFor()
    await phone.page.reload()
    await expect.poll(() => lostAnswers, { timeout: 30_000 }).toBeGreaterThan(1)
    // The route stays, because removing it while the page loads can block one of its scripts.
    losesAnswers = false
    await openDrawer(phone)
    await waitUntilStored(phone, 'Menunggu giliran')
    await message(office, 'Menunggu giliran').waitFor()
    await office.page.reload()
    await message(office, 'Menunggu giliran').waitFor()

    const texts = await storedTexts()
    expect(texts.toSorted()).toEqual(
      [
        'Apakah pembayaran saya sudah masuk?',
        'Sudah, terima kasih.',
        'Tanpa jaringan satu',
        'Tanpa jaringan dua',
        ...[1, 2, 3].map((number) => `Selama Anda pergi ${number}`),
        'Jawaban yang hilang',
        'Menunggu giliran',
      ].toSorted(),
    )
    for (const reader of [phone, office]) {
      const order = async () => {
        const drawn = await log(reader).getByRole('listitem').allInnerTexts()
        return drawn.flatMap((text) => texts.find((body) => text.includes(body)) ?? [])
      }
      await expect.poll(order, { timeout: 30_000 }).toEqual(texts)
    }
    expect(await message(phone, 'Bukti transfer').count()).toBe(0)
    await phone.page.addStyleTag({ content: 'html { font-size: 24px }' })
    await phone.checkPage('ask us: large text')

    // Above a phone's keyboard only the messages scroll, and the button stays below a long text.
    await phone.page.setViewportSize({ width: 360, height: 420 })
    await phone.page.getByRole('textbox', { name: kata('chat:message'), exact: true }).fill('Satu baris\n'.repeat(6))
    const drawer = phone.page.getByRole('dialog')
    const isCut = () => drawer.evaluate((box) => box.scrollHeight > box.clientHeight)
    const bodyScrolls = () =>
      log(phone).evaluate((box) => {
        const body = box.parentElement!.parentElement!
        body.scrollTop = body.scrollHeight
        return body.scrollTop > 0
      })
    await expect.poll(isCut).toBe(false)
    expect(await bodyScrolls()).toBe(false)
    const button = (await drawer.getByRole('button', { name: kata('chat:send'), exact: true }).boundingBox())!
    expect(button.y + button.height).toBeLessThanOrEqual(420)
    expect((await log(phone).boundingBox())!.height).toBeGreaterThan(40)
  })
})

test("an answer sent after a colleague's comes back with the news, and is not stored", async () => {
  const office = await world.person({ width: 1280, language: 'en' })
  await world.keepPicturesOnFailure('chat-meanwhile', [office], async () => {
    const colleague = await as(world, 'administrator')
    const { data } = await colleague('GET', `/chat/conversations?box=open&q=${person.code}`)
    const { id } = data[0]
    await signInAs(office, say, 'panitia')
    await goTo(office.page, `/chat/private-chat?box=open&c=${id}`)
    await message(office, 'Menunggu giliran').waitFor()
    await office.context.setOffline(true)
    await answer(office, 'Silakan datang ke kampus.')
    await message(office, 'Silakan datang').getByText(say('chat:waitingForNetwork')).waitFor()
    await colleague('POST', `/chat/conversations/${id}/messages`, {
      ...{ id: crypto.randomUUID(), body: 'Cukup unggah fotonya.', note: false, seenSeq: 1_000, templateId: null },
    })
    await office.context.setOffline(false)
    await office.page.getByText(say('inbox:answeredMeanwhile')).waitFor()
    await message(office, 'Cukup unggah fotonya.').waitFor()
    const field = office.page.getByRole('textbox', { name: say('inbox:answer'), exact: true })
    expect(await field.inputValue()).toBe('Silakan datang ke kampus.')
    await office.checkPage('chat/private-chat: a colleague answered')
    expect(await storedTexts()).not.toContain('Silakan datang ke kampus.')
    await office.page.getByRole('button', { name: say('chat:send'), exact: true }).click()
    await waitUntilStored(office, 'Silakan datang', say)
    expect((await storedTexts()).slice(-2)).toEqual(['Cukup unggah fotonya.', 'Silakan datang ke kampus.'])

    // A note keeps its own unsent text, and an answer written offline is sent from any page.
    await office.page.getByText(say('inbox:note'), { exact: true }).last().click()
    await office.page.getByRole('textbox', { name: say('inbox:note'), exact: true }).fill('Hanya untuk kami')
    await office.page.getByText(say('inbox:answer'), { exact: true }).first().click()
    expect(await field.inputValue()).toBe('')
    await office.context.setOffline(true)
    await answer(office, 'Dari halaman lain.')
    await message(office, 'Dari halaman lain.').getByText(say('chat:waitingForNetwork')).waitFor()
    await office.page.locator('a[href="/dashboard"]').first().click()
    await office.page.waitForURL('**/dashboard')
    await office.context.setOffline(false)
    await expect.poll(storedTexts, { timeout: 60_000 }).toContain('Dari halaman lain.')
    expect(await storedTexts()).not.toContain('Hanya untuk kami')
  })
})

test('the office pastes cells and a picture, hands over to another team, and goes off duty', async () => {
  const office = await world.person({ width: 1280, language: 'en' })
  const { page, checkPage } = office
  await world.keepPicturesOnFailure('chat-office', [office], async () => {
    const clerk = await as(world, 'panitia')
    const { data } = await clerk('GET', `/chat/conversations?box=open&q=${person.code}`)
    const { id } = data[0]
    const stateOf = async () =>
      (
        await db.query<{ team: string; assignee: string | null; files: number }>(
          `SELECT team, assignee_id AS assignee, (SELECT count(*)::int FROM chat_messages m
            WHERE m.conversation_id = v.id AND m.file_id IS NOT NULL) AS files FROM conversations v WHERE id = $1`,
          [id],
        )
      ).rows[0]!
    await signInAs(office, say, 'panitia')
    await goTo(page, `/chat/private-chat?box=open&c=${id}`)
    await message(office, 'Menunggu giliran').waitFor()
    const field = page.getByRole('textbox', { name: say('inbox:answer'), exact: true })
    /** Pastes a small picture, with or without the text of the cells it shows; returns whether the page took it. */
    const paste = (text: string | null) =>
      field.evaluate(async (element, words) => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 300, height: 300 })
        canvas.getContext('2d')!.fillRect(0, 0, 60, 40)
        const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
        const clipboardData = new DataTransfer()
        clipboardData.items.add(new File([picture!], 'tangkapan.png', { type: 'image/png' }))
        if (words !== null) clipboardData.setData('text/plain', words)
        return !element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, text)
    const { files } = await stateOf()
    // The browser puts the cells' text into the field itself, and their picture is ignored.
    expect(await paste('Nama\tNilai')).toBe(false)
    // A picture is previewed first, and sent only on request.
    expect(await paste(null)).toBe(true)
    const preview = page.getByRole('img', { name: say('common:file.preview', { name: 'tangkapan.png' }) })
    await preview.waitFor()
    await checkPage('chat/private-chat: preview of a picture')
    await page.getByRole('button', { name: say('common:actions.cancel'), exact: true }).click()
    await preview.waitFor({ state: 'detached' })
    expect((await stateOf()).files).toBe(files)
    expect(await paste(null)).toBe(true)
    await preview.waitFor()
    await page.getByRole('button', { name: say('chat:send'), exact: true }).click()
    await expect.poll(async () => (await stateOf()).files).toBe(files + 1)

    const dialog = page.getByRole('dialog')
    await clerk('POST', `/chat/conversations/${id}/take`)
    await page.reload()
    await page.getByRole('button', { name: say('inbox:handOver') }).click()
    await dialog.getByRole('combobox', { name: say('inbox:filter.team') }).click()
    await page.getByRole('option', { name: say('chat:team.finance') }).click()
    await dialog.getByLabel(say('inbox:handOverNote')).fill('Menanyakan cicilan.')
    await checkPage('chat/private-chat: hand over')
    await dialog.getByRole('button', { name: say('inbox:handOver') }).click()
    await page.getByText(say('inbox:handedOver')).waitFor()
    expect(await stateOf()).toMatchObject({ team: 'finance', assignee: null })
    // Nobody else is on duty, and the clerk cannot hand over to herself.
    await page.getByRole('button', { name: say('inbox:handOver') }).click()
    await dialog.getByText(say('inbox:nobodyOnDuty')).waitFor()
    await page.keyboard.press('Escape')

    await clerk('POST', `/chat/conversations/${id}/take`)
    expect((await stateOf()).assignee).not.toBeNull()
    const applicant = await as(world, person.account)
    await applicant('POST', '/chat/own/messages', { id: crypto.randomUUID(), body: 'Jadi bagaimana?' })
    await page.getByRole('button', { name: say('inbox:duty') }).click()
    const duty = page.getByRole('switch', { name: say('inbox:duty') })
    await duty.click()
    await page.getByText(say('inbox:dutySaved')).waitFor()
    await checkPage('chat/private-chat: off duty')
    // Conversations that wait for the clerk's answer return to the queue.
    await expect.poll(async () => (await stateOf()).assignee).toBeNull()
    await duty.click()
    await page.getByRole('button', { name: say('inbox:duty') }).waitFor()

    // A double tap takes only one conversation from the queue.
    const waiting = async () =>
      (
        await db.query<{ count: number }>(
          `SELECT count(*)::int FROM conversations WHERE waiting_since IS NOT NULL AND assignee_id IS NULL`,
        )
      ).rows[0]!.count
    const before = await waiting()
    expect(before).toBeGreaterThan(1)
    await goTo(page, '/chat/private-chat')
    const next = page.getByRole('button', { name: say('inbox:takeNext') })
    await next.dblclick({ delay: 100 })
    await page.getByText(say('inbox:yours')).first().waitFor()
    await page.waitForTimeout(500)
    expect(await waiting()).toBe(before - 1)
  })
})

test('two tabs of a phone share one stream, and both show new messages', async () => {
  const phone = await world.person({ width: 360, language: 'id' })
  await world.keepPicturesOnFailure('chat-tabs', [phone], async () => {
    let streams = 0
    phone.context.on('request', (request) => {
      if (request.url().includes('/api/chat/stream')) streams++
    })
    await signInAs(phone, kata, person.account)
    await goTo(phone.page, '/dashboard')
    await openDrawer(phone)
    const page = await phone.context.newPage()
    const tab = { ...phone, page }
    await goTo(page, '/apps/chat/drawer-chat')
    await log(tab).waitFor()
    const office = await as(world, 'panitia')
    const { data } = await office('GET', `/chat/conversations?box=open&q=${person.code}`)
    await office('POST', `/chat/conversations/${data[0].id}/messages`, {
      ...{ id: crypto.randomUUID(), body: 'Untuk dua tab', note: false, seenSeq: 1_000, templateId: null },
    })
    for (const reader of [phone, tab]) await message(reader, 'Untuk dua tab').waitFor()
    expect(streams).toBe(1)
    // The tab that holds the stream is closed; the other one takes over.
    await phone.page.close()
    await writeToOffice(tab, 'Masih di sini')
    await waitUntilStored(tab, 'Masih di sini')
    await expect.poll(() => streams).toBe(2)
  })
})

test('an applicant continues on WhatsApp, with a code that proves the number', async () => {
  await db.query(`INSERT INTO whatsapp_connections (name, kind, phone, phone_number_id, graph_url)
    VALUES ('PMB', 'cloud', '+628111111111', '1', 'http://127.0.0.1:9')`)
  const phone = await world.person({ width: 360, language: 'id' })
  await world.keepPicturesOnFailure('chat-whatsapp', [phone], async () => {
    await phone.context.route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }))
    await signInAs(phone, kata, person.account)
    await goTo(phone.page, '/dashboard')
    await openDrawer(phone)
    const button = phone.page.getByRole('button', { name: kata('chat:linkWhatsapp') })
    await button.waitFor()
    await phone.checkPage('ask us: by WhatsApp')
    const [opened] = await Promise.all([phone.context.waitForEvent('page'), button.click()])
    await expect
      .poll(() => decodeURIComponent(opened.url()))
      .toMatch(/^https:\/\/wa\.me\/628111111111\?text=.*PMB-\w{10}$/)
    await opened.close()
    await db.query(
      `UPDATE conversations SET proven_phone = '+6281234567890' WHERE account_id =
      (SELECT account_id FROM registrations WHERE id = $1)`,
      [person.id],
    )
    await phone.page.reload()
    await openDrawer(phone)
    await phone.page.getByText('••••890').waitFor()
  })
})
