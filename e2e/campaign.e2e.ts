import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { as } from './support/demo-people.ts'
import { goTo } from './support/go-to.ts'
import type { Mail } from './support/outbox.ts'
import { type Say, signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  // This journey kills the server while it sends.
  world = await openWorld({ ownServer: true })
  // A campaign of forty needs two people and takes twenty seconds, at any hour of the day.
  const call = await as(world, 'administrator')
  const { versions } = (await call('GET', '/settings/general')).data
  await call('PUT', '/settings/general/sending', {
    ...{ secondPersonAbove: 10, mailsPerMinute: 600, mailsPerMinutePerDomain: 120, mailsPerDay: 20_000 },
    ...{ quietHours: false, version: versions.sending ?? 0 },
  })
})
afterAll(() => world?.close())

const mailsTo = async (address: string, subject: string) => {
  const answer = await fetch(`${world.url}/api/outbox?to=${encodeURIComponent(address)}`)
  const { data } = (await answer.json()) as { data: Mail[] }
  return data.filter((mail) => mail.subject === subject)
}

type Texts = { subject: readonly [id: string, en: string]; body: readonly [id: string, en: string] }

async function writeTexts(page: Page, say: Say, { subject, body }: Texts) {
  for (const [index, language] of (['id', 'en'] as const).entries()) {
    const name = say(`campaigns:language.${language}`)
    await page.getByLabel(say('send:text.subject', { language: name })).fill(subject[index]!)
    await page.getByLabel(say('send:text.body', { language: name })).fill(body[index]!)
  }
}

const untick = (page: Page, say: Say, channel: string) =>
  page.getByRole('checkbox', { name: new RegExp(`^(\\d\\. )?${say(`campaigns:channel.${channel}`)}`) }).uncheck()

const waitForState = (page: Page, say: Say, state: string) =>
  page
    .getByRole('status')
    .getByText(say(`campaigns:state.${state}`), { exact: true })
    .waitFor()

const pressAndConfirm = async (page: Page, label: string) => {
  await page.getByRole('button', { name: label, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Number of recipients in a state, as counted on the campaign's page. */
const peopleIn = async (page: Page, say: Say, state: string) =>
  Number(
    await page
      .locator('dl > div')
      .filter({ has: page.getByText(say(`campaigns:recipientState.${state}`), { exact: true }) })
      .locator('dd')
      .first()
      .textContent(),
  )

test('a campaign from a filtered list is approved by a second person, survives a power cut and reaches each recipient once; a recipient who opts out is left out of the next one', async () => {
  const say = wordsOf('en')
  const s = (key: string, params?: Record<string, string | number>) => say(`send:${key}`, params)
  const clerk = await world.person({ width: 1280, language: 'en' })
  const approver = await world.person({ width: 1280, language: 'en' })
  const recipient = await world.person({ width: 360, language: 'id' })
  const { page, checkPage } = clerk
  await world.keepPicturesOnFailure('campaign', [clerk, approver, recipient], async () => {
    await signInAs(clerk, say, 'panitia')
    await goTo(page, '/pendaftaran?status=paid')
    await page
      .getByRole('main')
      .getByRole('link', { name: s('fromList'), exact: true })
      .click()
    await page.waitForURL(/kirim-informasi\/pendaftaran\/create$/)
    await page.getByRole('button', { name: say('list:removeFilter', { name: say('staff:filter.status') }) }).waitFor()
    await page.getByLabel(s('form.name')).fill('Places are left')
    await page.getByRole('radio', { name: say('campaigns:purpose.admission') }).check()
    await untick(page, say, 'whatsapp')
    await untick(page, say, 'inbox')
    await page.getByRole('button', { name: s('form.plan') }).click()
    await page.getByText(say('validation:required')).first().waitFor()
    await checkPage('new campaign without texts')
    await writeTexts(page, say, {
      subject: ['Masih ada kursi', 'Places are left'],
      body: ['Halo {{name}}, kode Anda {{code}}.', 'Hello {{name}}, your code is {{code}}.'],
    })
    await page.getByText(s('preview.examples_other', { count: 5 })).waitFor()
    await checkPage('new campaign with its preview')
    await page.reload()
    expect(await page.getByLabel(s('form.name')).inputValue()).toBe('Places are left')
    await page.getByText(s('preview.examples_other', { count: 5 })).waitFor()
    await page.getByRole('button', { name: s('form.plan') }).click()
    await page.waitForURL(/pendaftaran\/[0-9a-f-]{36}$/)
    await waitForState(page, say, 'planned')
    await checkPage('planned campaign')
    const all = await peopleIn(page, say, 'planned')
    const skipped = await peopleIn(page, say, 'skipped')
    expect(all).toBeGreaterThan(10)

    await page.getByRole('button', { name: s('step.release') }).click()
    await checkPage('release of a campaign')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: s('schedule.ask') })
      .click()
    await waitForState(page, say, 'to_approve')
    expect(await page.getByRole('button', { name: s('step.approve'), exact: true }).count()).toBe(0)

    await signInAs(approver, say, 'administrator')
    await goTo(approver.page, new URL(page.url()).pathname)
    await waitForState(approver.page, say, 'to_approve')
    await approver.checkPage('campaign to approve')
    await pressAndConfirm(approver.page, s('step.approve'))

    await page.getByRole('button', { name: s('step.pause'), exact: true }).click()
    await waitForState(page, say, 'paused')
    await checkPage('paused campaign')
    await world.kill()
    await world.startAgain()
    await page.reload()
    await waitForState(page, say, 'paused')
    expect(await peopleIn(page, say, 'planned')).toBeGreaterThan(0)
    await page.getByRole('button', { name: s('step.resume'), exact: true }).click()
    await waitForState(page, say, 'finished')
    await checkPage('finished campaign')
    const sent = await peopleIn(page, say, 'accepted')
    expect(sent + (await peopleIn(page, say, 'uncertain'))).toBe(all)

    const row = page
      .getByRole('row')
      .filter({ hasText: say('campaigns:recipientState.accepted') })
      .first()
    const address = (await row.getByText(/@demo\.test$/).textContent())!.trim()
    const [mail, ...repetitions] = [
      ...(await mailsTo(address, 'Masih ada kursi')),
      ...(await mailsTo(address, 'Places are left')),
    ]
    expect(repetitions).toEqual([])
    const link = /https?:\/\/\S*(\/berhenti[^\s)"<]*)/.exec(`${mail!.body} ${mail!.link}`)![1]!

    const kata = wordsOf('id')
    const stop = `${kata('opt-out:stop')}: ${kata('opt-out:purpose.admission.title')}`
    const undo = `${kata('opt-out:undo')}: ${kata('opt-out:purpose.admission.title')}`
    await goTo(recipient.page, link)
    await recipient.page.getByRole('button', { name: stop }).waitFor()
    await recipient.checkPage('opt-out')
    await recipient.page.getByRole('button', { name: stop }).click()
    await recipient.page.getByText(kata('opt-out:stopped')).waitFor()
    await recipient.checkPage('opted out')
    await recipient.page.getByRole('button', { name: undo }).click()
    await recipient.page.getByRole('button', { name: stop }).click()
    await recipient.page.getByText(kata('opt-out:stopped')).waitFor()
    // A truncated link says so and leads on.
    for (const cut of [link.slice(0, -5), '/berhenti-pesan/abc']) {
      await goTo(recipient.page, cut)
      await recipient.page.getByRole('heading', { name: kata('opt-out:broken.title') }).waitFor()
    }
    await recipient.checkPage('opt-out: cut link')
    // The account's settings show the same choice; the person undoes it there, and opts out again.
    await signInAs(recipient, kata, address.split('@')[0]!)
    await goTo(recipient.page, '/account/settings')
    await recipient.page.getByRole('button', { name: undo }).click()
    await recipient.page.getByRole('button', { name: stop }).click()
    await recipient.page.getByRole('button', { name: undo }).waitFor()
    await recipient.checkPage('account/settings: opted out')

    const call = await as(world, 'panitia')
    const first = (await call('GET', `/kirim-informasi/campaigns/${page.url().split('/').at(-1)}`)).data
    const { name: _name, ...draft } = Object.fromEntries(
      [
        ...['name', 'audience', 'filters', 'sheetId', 'purpose', 'ignoresQuietHours', 'channels'],
        ...['subjectId', 'subjectEn', 'bodyId', 'bodyEn', 'templateId'],
      ].map((key) => [key, first[key]]),
    )
    const second = (await call('POST', '/kirim-informasi/campaigns', { ...draft, name: 'The last places' })).data
    await goTo(page, '/kirim-informasi/pendaftaran')
    await checkPage('list of campaigns')
    await page.getByRole('link', { name: 'The last places' }).click()
    await page.getByRole('button', { name: s('step.plan'), exact: true }).click()
    await waitForState(page, say, 'planned')
    expect(await peopleIn(page, say, 'skipped')).toBe(skipped + 1)
    expect(await peopleIn(page, say, 'planned')).toBe(all - 1)
    await page.getByRole('link', { name: new RegExp(say('campaigns:reason.opted_out')) }).click()
    await page.waitForURL(/reason=opted_out/)
    await page.getByRole('row').getByText(address).waitFor()
    expect(second.state).toBe('draft')
    await pressAndConfirm(page, s('step.cancel'))
    await waitForState(page, say, 'cancelled')
  })
})

const sheet = [
  'Nama;HP;Email;Kelas',
  'Budi Contoh;0812 0000 9001;budi@example.com;XII A',
  'Tanpa Alamat;;;XII B',
  'Salah Nomor;12;salah@;XII C',
  'Budi Lagi;6281200009001;;XII D',
  'Sari Rekaan;0812 0000 9002;sari@example.com;XII E',
].join('\n')

test('a spreadsheet reports every one of its problems, and its columns fill the text', async () => {
  const say = wordsOf('en')
  const s = (key: string, params?: Record<string, string | number>) => say(`send:${key}`, params)
  const clerk = await world.person({ width: 1280, language: 'en' })
  const { page, checkPage } = clerk
  await world.keepPicturesOnFailure('campaign-sheet', [clerk], async () => {
    await signInAs(clerk, say, 'panitia')
    await goTo(page, '/kirim-informasi/file-excel/create')
    await page.getByLabel(s('form.name')).fill('Classes')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'siswa.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) })
    await page.getByText(s('sheet.problems_other', { formatted: 3 })).waitFor()
    for (const code of ['no_address', 'phone_invalid', 'email_invalid', 'phone_repeated'])
      await page
        .getByText(new RegExp(say(`campaigns:sheetProblem.${code}`)))
        .first()
        .waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: s('sheet.download') }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/siswa\.csv$/)

    await untick(page, say, 'whatsapp')
    await writeTexts(page, say, {
      subject: ['Kelas {{Kelas}}', 'Class {{Kelas}}'],
      body: ['Halo {{name}} dari {{Klas}}.', 'Hello {{name}} of {{Kelas}}.'],
    })
    await page
      .getByText(/\{\{Klas\}\}/)
      .last()
      .waitFor()
    await page.getByRole('button', { name: s('form.plan') }).click()
    await page.getByText(say('errors:placeholder_unknown', { detail: '{{Klas}}' })).waitFor()
    await checkPage('campaign of a spreadsheet')
    const body = page.getByLabel(s('text.body', { language: say('campaigns:language.id') }))
    await body.fill('Halo {{name}} dari ')
    await page.getByRole('button', { name: s('text.insert', { name: 'Kelas' }) }).click()
    await page.getByText('Halo Budi Contoh dari XII A').waitFor()
    await page.getByRole('button', { name: s('form.plan') }).click()
    await page.waitForURL(/file-excel\/[0-9a-f-]{36}$/)
    await waitForState(page, say, 'planned')
    await checkPage('planned campaign of a spreadsheet')
    expect([await peopleIn(page, say, 'planned'), await peopleIn(page, say, 'skipped')]).toEqual([2, 3])
  })
})

test('marketing records an opt-out on a phone and undoes it, writes a template, and starts a campaign from leads', async () => {
  const say = wordsOf('id')
  const s = (key: string, params?: Record<string, string | number>) => say(`send:${key}`, params)
  const marketing = await world.person({ width: 360, language: 'id' })
  const { page, checkPage } = marketing
  await world.keepPicturesOnFailure('campaign-addresses', [marketing], async () => {
    await signInAs(marketing, say, 'marketing')
    await goTo(page, '/marketing/kirim-informasi/berhenti')
    await page.getByRole('button', { name: s('optOuts.note'), exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(s('optOuts.address')).fill('ibu.rekaan@example.com')
    await dialog.getByRole('radio', { name: say('campaigns:purpose.events') }).check()
    await dialog.getByLabel(s('optOuts.said')).fill('Menelepon hari Senin')
    await checkPage('note of an opt-out')
    await dialog.getByRole('button', { name: s('optOuts.noteSave'), exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await checkPage('list of opt-outs')
    const card = page
      .getByRole('listitem')
      .filter({ hasText: say('campaigns:optOutSource.staff') })
      .first()
    await card.getByRole('button').last().click()
    await page.getByRole('menuitem', { name: s('optOuts.lift'), exact: true }).click()
    await dialog.getByLabel(s('optOuts.liftSaid')).fill('Mau diundang lagi')
    await dialog.getByRole('button', { name: s('optOuts.liftSave') }).click()
    await page.getByText(s('optOuts.lifted')).waitFor()
    await goTo(page, '/marketing/kirim-informasi/alamat-diblokir')
    await checkPage('blocked addresses')

    await goTo(page, '/marketing/kirim-informasi/teks')
    await page.getByRole('button', { name: s('templates.new') }).click()
    await dialog.getByRole('textbox', { name: say('campaigns:templateColumn.name'), exact: true }).fill('Undangan')
    await dialog.getByLabel(say('campaigns:templateColumn.providerTemplate')).fill('undangan_daftar')
    await writeTexts(page, say, { subject: ['Halo', 'Hello'], body: ['Halo {{name}}', 'Hello {{name}}'] })
    await checkPage('new template')
    await dialog.getByRole('button', { name: s('templates.save') }).click()
    await dialog.waitFor({ state: 'detached' })

    await goTo(page, '/marketing/prospek?stage=new')
    await page
      .getByRole('main')
      .getByRole('link', { name: s('fromList'), exact: true })
      .click()
    await page.waitForURL(/marketing\/kirim-informasi\/create$/)
    await page.getByRole('combobox', { name: s('text.whatsapp'), exact: true }).click()
    await page.getByRole('option', { name: 'Undangan', exact: true }).click()
    await checkPage('new campaign to leads')
    const down = page.getByRole('button', { name: s('way.down', { channel: say('campaigns:channel.whatsapp') }) })
    await down.press('Enter')
    await page.getByRole('checkbox', { name: `1. ${say('campaigns:channel.email')}` }).waitFor()
  })
})
