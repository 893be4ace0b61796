import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '#seeds/demo/university.ts'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type Person, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const [say, words] = [wordsOf('id'), wordsOf('en')]

/** Bodies of the messages on screen, oldest first. */
const bodiesOf = ({ page }: Person) => page.getByRole('log').locator('p[dir=auto]').allTextContents()

async function write({ page }: Person, label: string, text: string, submit: string) {
  await page.getByRole('textbox', { name: label, exact: true }).fill(text)
  await page.getByRole('button', { name: submit, exact: true }).click()
}

test('a person on a phone and the office talk while the line is cut and the page reloaded, and nothing is lost or doubled', async () => {
  const phone = await world.person({ width: 360, language: 'id' })
  const clerk = await world.person({ width: 1280, language: 'en' })
  await world.keepPicturesOnFailure('chat', [phone, clerk], async () => {
    await signInAs(phone, say, 'mahasiswa')
    await phone.page.getByRole('button', { name: say('chat:ask'), exact: true }).click()
    await phone.page
      .getByText(say('chat:noHours'))
      .or(phone.page.getByText(/menjawab dalam/))
      .first()
      .waitFor()
    await phone.checkPage('ask us: first')
    const ask = (text: string) => write(phone, say('chat:message'), text, say('chat:send'))
    await ask('Apakah berkas saya lengkap?')
    await expect.poll(() => bodiesOf(phone)).toEqual(['Apakah berkas saya lengkap?'])

    await signInAs(clerk, words, 'panitia')
    await clerk.page.goto('/chat/private-chat')
    await clerk.page.locator('main tbody tr').first().waitFor()
    await clerk.checkPage('inbox')
    const { name } = accounts.find(({ email }) => email === 'mahasiswa@demo.test')!
    await clerk.page.getByRole('link', { name, exact: true }).first().click()
    await clerk.page.getByRole('log').getByText('Apakah berkas saya lengkap?').waitFor()
    await clerk.page.getByRole('button', { name: words('inbox:take'), exact: true }).click()
    await clerk.page.getByText(words('inbox:taken')).waitFor()
    await clerk.checkPage('conversation')
    const answer = (text: string) => write(clerk, words('inbox:answer'), text, words('chat:send'))
    await answer('Sedang kami periksa.')
    await expect.poll(() => bodiesOf(phone)).toEqual(['Apakah berkas saya lengkap?', 'Sedang kami periksa.'])

    // The line is cut: what is written waits on the phone, what is answered at the office.
    await phone.context.setOffline(true)
    await ask('Rapor saya yang mana?')
    await ask('Semester lima atau enam?')
    await phone.page.getByText(say('chat:waitingForNetwork')).first().waitFor()
    await answer('Rapor semester lima kurang jelas.')
    await phone.context.setOffline(false)
    const talk = [
      'Apakah berkas saya lengkap?',
      'Sedang kami periksa.',
      'Rapor semester lima kurang jelas.',
      'Rapor saya yang mana?',
      'Semester lima atau enam?',
    ]
    await expect.poll(() => bodiesOf(phone), { timeout: 45_000 }).toEqual(talk)
    await expect.poll(() => bodiesOf(clerk), { timeout: 20_000 }).toEqual(talk)

    // A reload in the middle keeps what was typed and what was said.
    await phone.page.getByRole('textbox', { name: say('chat:message'), exact: true }).fill('Baik, saya unggah ula')
    await phone.page.waitForTimeout(600)
    await phone.page.reload()
    await phone.page.getByRole('button', { name: new RegExp(`^${say('chat:ask')}`) }).click()
    await expect.poll(() => bodiesOf(phone), { timeout: 20_000 }).toEqual(talk)
    const field = phone.page.getByRole('textbox', { name: say('chat:message'), exact: true })
    expect(await field.inputValue()).toBe('Baik, saya unggah ula')
    await ask('Baik, saya unggah ulang.')
    await expect.poll(() => bodiesOf(clerk), { timeout: 20_000 }).toEqual([...talk, 'Baik, saya unggah ulang.'])
    await phone.checkPage('ask us: talk')

    // A note stays in the office.
    await clerk.page.getByText(words('inbox:note'), { exact: true }).click()
    await write(clerk, words('inbox:note'), 'Tunggu berkas baru', words('inbox:addNote'))
    await clerk.page.getByRole('log').getByText('Tunggu berkas baru').waitFor()
    await clerk.page
      .getByRole('main')
      .getByRole('button', { name: words('inbox:closeIt'), exact: true })
      .click()
    await clerk.page.locator('main tbody tr').first().waitFor()
    expect(await bodiesOf(phone)).not.toContain('Tunggu berkas baru')
  })
})

test('staff talk in the team room and keep canned replies', async () => {
  const clerk = await world.person({ width: 1280, language: 'en' })
  const colleague = await world.person({ width: 360, language: 'id' })
  await world.keepPicturesOnFailure('team-room', [clerk, colleague], async () => {
    await signInAs(clerk, words, 'panitia')
    await signInAs(colleague, say, 'keuangan')
    for (const { page } of [clerk, colleague]) {
      await page.goto('/apps/chat/group-chat')
      await page.getByRole('log').getByText('Rekonsiliasi kemarin').waitFor()
    }
    await clerk.checkPage('team room')
    await colleague.checkPage('team room on a phone')
    await write(colleague, say('inbox:answer'), 'Siap, saya bantu.', say('chat:send'))
    await clerk.page.getByRole('log').getByText('Siap, saya bantu.').waitFor()
    await clerk.page.goto('/chat/private-chat/jawaban')
    await clerk.page.getByText('Sisa tagihan').waitFor()
    await clerk.page.getByRole('button', { name: words('inbox:newReply') }).click()
    const dialog = clerk.page.getByRole('dialog')
    await dialog.getByLabel(words('inbox:replyColumn.title')).fill('Jam layanan')
    await dialog.getByLabel(words('inbox:replyColumn.bodyId')).fill('Halo {{nama}}')
    await dialog.getByLabel(words('inbox:replyColumn.bodyEn')).fill('Hello {{name}}')
    await dialog.getByRole('button', { name: words('inbox:saveReply') }).click()
    await dialog.getByText('{{nama}}').last().waitFor()
    await dialog.getByLabel(words('inbox:replyColumn.bodyId')).fill('Halo {{name}}, kami buka pukul delapan.')
    await dialog.getByRole('button', { name: words('inbox:saveReply') }).click()
    await clerk.page.getByText(words('inbox:replySaved')).waitFor()
    await clerk.page.getByText('Jam layanan').waitFor()
    await clerk.checkPage('canned replies')
  })
})
