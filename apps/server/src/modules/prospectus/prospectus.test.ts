import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seedDemoAcademic } from '#seeds/demo/academic.ts'
import { sentences } from '#server/platform/text.ts'
import { setSettings } from '#server-test/factories/installation/installations.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { lowestOf, waveOf } from './facts.ts'
import { readProspectus } from './read-prospectus.ts'

let t: TestApp
const now = new Date('2026-11-20T03:00:00Z')
let minute = 0

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  await seedDemoAcademic(t.db, now)
})
afterAll(() => t?.close())
/** What another test read is outdated a minute later. */
beforeEach(() => t.clock.set(new Date(now.getTime() + ++minute * 60_000)))

type Headers = Record<string, string>
const get = (url: string, headers: Headers = { 'accept-language': 'id-ID,id;q=0.9' }) => t.app.inject({ url, headers })
const read = async (url: string, headers?: Headers) => {
  const answer = await get(url, headers)
  expect(answer.statusCode, url).toBe(200)
  // Amounts have a no-break space.
  return answer.body.replaceAll('\u00a0', ' ')
}
describe('the page of an intake', () => {
  test('is HTML of its own, without script, cookie or sign-in, far below 30 kB', async () => {
    for (const url of ['/daftar', '/daftar/prodi/IF', '/daftar/prodi/if?track=REG&class=PAGI']) {
      const answer = await get(url)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(answer.headers.vary).toContain('accept-language')
      expect(gzipSync(answer.rawPayload).length, url).toBeLessThan(15_000)
      expect(answer.body.match(/<script(?! src="\/prospectus\.js" defer| type="application\/ld\+json")/g)).toBeNull()
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
      expect(answer.headers['content-security-policy']).not.toContain('unsafe')
    }
  })

  test('says what it costs, whom tracks are for, what is needed, and when', async () => {
    const body = await read('/daftar')
    for (const text of [
      'Kuliah di Universitas Contoh Nusantara',
      'Gelombang 2 (2027/2028) dibuka sampai',
      'Untuk Anda yang berprestasi dan berasal dari keluarga kurang mampu',
      'Biaya pendaftaran Rp 300.000',
      'Akreditasi: Unggul',
      'boleh menyusul',
      'hanya Prestasi',
      'Pengumuman hasil',
      'Bolehkah dicicil?',
    ])
      expect(body, text).toContain(text)
    const costs = await read('/daftar/prodi/IF?track=REG')
    expect(costs).toContain('data-sum="first-year">Rp 21.600.000')
    expect(costs).toContain('SPP semester, semester dua')
  })

  test('speaks the language of the link, else of the browser, else Indonesian', async () => {
    const languageOf = async (url: string, headers: Headers) => {
      const body = await read(url, headers)
      return /<html lang="(..)">/.exec(body)![1]
    }
    expect(await languageOf('/daftar', {})).toBe('id')
    expect(await languageOf('/daftar', { 'accept-language': 'jv,su;q=0.9' })).toBe('id')
    expect(await languageOf('/daftar', { 'accept-language': 'en-US,en;q=0.9' })).toBe('en')
    expect(await languageOf('/daftar', { 'accept-language': 'en;q=0.5,id;q=0.9' })).toBe('id')
    expect(await languageOf('/daftar?lang=en', { 'accept-language': 'id' })).toBe('en')
    expect(await languageOf('/daftar?lang=xx', { 'accept-language': 'en' })).toBe('en')
    const english = await read('/daftar/prodi/IF?lang=en&track=REG')
    for (const text of ['Informatics', 'Whole first year', 'Tuition per semester', 'Day class', 'Three times'])
      expect(english, text).toContain(text)
    // The choice of a language goes on to sign-up, and to the other page.
    expect(english).toContain('lang=en')
    expect(english).toContain('href="/daftar?lang=en"')
  })

  test('tells crawlers and messengers its address, languages and data', async () => {
    const body = await read('/daftar/prodi/IF?track=REG', {})
    const address = `${t.services.config.publicUrl}/daftar/prodi/IF`
    for (const tag of [
      `<link rel="canonical" href="${address}">`,
      `<link rel="alternate" hreflang="en" href="${address}?lang=en">`,
      `<link rel="alternate" hreflang="x-default" href="${address}">`,
      '<meta property="og:title" content="Informatika (S1) · Universitas Contoh Nusantara">',
      '<meta name="description" content="Informatika (S1) di Universitas Contoh Nusantara: pembayaran pertama mulai',
    ])
      expect(body, tag).toContain(tag)
    expect(body).not.toContain('noindex')
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body)![1]!)
    expect(data['@graph'].map((one: { '@type': string }) => one['@type'])).toEqual([
      'CollegeOrUniversity',
      'EducationalOccupationalProgram',
      'FAQPage',
    ])
    expect(data['@graph'][1].offers).toMatchObject({ priceCurrency: 'IDR', price: 21_300_000 })
    const sitemap = (await get('/sitemap.xml')).body
    expect(sitemap).toContain(`<loc>${address}</loc>`)
    expect((await get('/robots.txt')).body).toContain('Sitemap: ')
  })

  test('assumes no track: the cost is that of each, until one is chosen', async () => {
    const body = await read('/daftar/prodi/IF')
    expect(body).not.toMatch(/type="radio"[^>]* checked/)
    expect(body.match(/<li data-track=/g)).toHaveLength(4)
    expect(body).toMatch(/href="\/multi-step-sign-up\?wave=[^&"]*&#38;programme=[^&"]*"/)
    const chosen = await read('/daftar/prodi/IF?track=BEA&class=MALAM')
    expect(chosen).toMatch(/value="BEA" checked/)
    expect(chosen).toMatch(
      /href="\/multi-step-sign-up\?wave=[^&"]*&#38;track=[^&"]*&#38;programme=[^&"]*&#38;class=[^&"]*"/,
    )
  })

  test('counts places only if a setting says so, and always names what is full', async () => {
    expect(await read('/daftar')).not.toContain('Sisa ')
    await setSettings(t, { placesOnPublicPage: true })
    t.clock.set(new Date(t.clock.now().getTime() + 20_000))
    expect(await read('/daftar')).toContain('Sisa 180 kursi')
    await setSettings(t, { placesOnPublicPage: false })
    const { id } = await t.db
      .selectFrom('studyProgrammes')
      .select('id')
      .where('code', '=', 'IF')
      .executeTakeFirstOrThrow()
    await t.db.updateTable('programmeDetails').set({ capacity: 0 }).where('programmeId', '=', id).execute()
    t.clock.set(new Date(t.clock.now().getTime() + 40_000))
    const full = await read('/daftar/prodi/IF')
    expect(full).toContain('Semua kelas prodi ini sudah penuh')
    expect(full).not.toContain('multi-step-sign-up')
    await t.db.updateTable('programmeDetails').set({ capacity: 120 }).where('programmeId', '=', id).execute()
  })
})

describe('an address that anybody may write', () => {
  test.each([
    '/daftar?wave=nope&lang[]=en',
    '/daftar?wave=a&wave=b',
    '/daftar/prodi/IF?track=%00&class=%3Cscript%3E&discount=x&discount=y',
    `/daftar/prodi/IF?track=${'x'.repeat(5000)}`,
    '/daftar/prodi/IF?lang=en&lang=id',
  ])('%s is answered with what is known', async (url) => {
    const answer = await get(url)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).not.toContain('<script>')
  })

  test('an unknown programme is a page of its own that is not indexed', async () => {
    const answer = await get('/daftar/prodi/NIHIL')
    expect(answer.statusCode).toBe(404)
    expect(answer.body).toContain('Prodi tidak ditemukan')
    expect(answer.body).toContain('noindex')
  })

  test('names typed by staff cannot become markup', async () => {
    const name = '</script><img src=x onerror=alert(1)>&"'
    await t.db.updateTable('studyProgrammes').set({ description: name }).where('code', '=', 'SI').execute()
    const body = await read('/daftar/prodi/SI')
    expect(body).not.toContain('<img src=x')
    expect(body).toContain('&#60;img src=x')
    await t.db.updateTable('studyProgrammes').set({ description: null }).where('code', '=', 'SI').execute()
  })
})

test('the lowest amounts are found once for each reading', async () => {
  const reading = await readProspectus(t.services)
  const wave = waveOf(reading.waves, undefined)!
  const programme = reading.programmes.find(({ code }) => code === 'IF')!
  const lowest = lowestOf(reading, wave, programme)
  expect(lowest).toEqual({ firstPayment: expect.any(Number), firstYear: 21_300_000 })
  expect(lowestOf(reading, wave, programme)).toBe(lowest)
  const other = reading.programmes.find(({ code }) => code !== 'IF')!
  expect(lowestOf(reading, wave, other)).not.toBe(lowest)
  const later = await readProspectus(t.services)
  expect(lowestOf(later, waveOf(later.waves, undefined)!, programme)).not.toBe(lowest)
})

test('many calls from one address are refused for a while, and others still get the page', async () => {
  for (const url of ['/daftar', '/daftar/prodi/IF']) {
    const from = (remoteAddress: string) => t.app.inject({ url, remoteAddress })
    for (let call = 0; call < 300; call++) expect((await from('192.0.2.7')).statusCode).toBe(200)
    const refused = await from('192.0.2.7')
    expect(refused.statusCode).toBe(429)
    expect(refused.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    expect(refused.body).toContain(sentences('id')('errors:too_many_requests'))
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
    expect((await from('192.0.2.8')).statusCode).toBe(200)
  }
})

describe('an intake', () => {
  const setWaves = (values: { opensAt?: Date; closesAt?: Date }, code?: string) =>
    t.db
      .updateTable('waves')
      .set(values)
      .$if(code !== undefined, (query) => query.where('code', '=', code!))
      .execute()
  const days = (count: number) => new Date(now.getTime() + count * 86_400_000)

  test('that is over leaves the programmes and says that none is open', async () => {
    const waveDates = await t.db.selectFrom('waves').select(['code', 'opensAt', 'closesAt']).execute()
    await setWaves({ opensAt: days(-20), closesAt: days(-1) })
    const body = await read('/daftar')
    expect(body).toContain('Saat ini tidak ada gelombang pendaftaran yang dibuka.')
    expect(body).toContain('Informatika')
    expect(body).not.toContain('Rp ')
    expect(await read('/daftar/prodi/IF')).toContain('Saat ini tidak ada gelombang')
    for (const { code, ...dates } of waveDates) await setWaves(dates, code)
  })

  test('that is not open yet shows cost and dates, and no way to sign up', async () => {
    const waveDates = await t.db.selectFrom('waves').select(['code', 'opensAt', 'closesAt']).execute()
    const windows = await t.db.selectFrom('trackDetails').select(['id', 'opensAt', 'closesAt']).execute()
    await setWaves({ opensAt: days(5), closesAt: days(60) }, 'G2')
    await t.db
      .updateTable('trackDetails')
      .set({ opensAt: days(5) })
      .where('closesAt', '>', now)
      .execute()
    const body = await read('/daftar')
    expect(body).toContain('Gelombang 2 (2027/2028) dibuka mulai')
    expect(body).not.toContain('multi-step-sign-up')
    expect(await read('/daftar/prodi/IF?track=REG')).toContain('data-sum="first-year"')
    for (const { code, ...dates } of waveDates) await setWaves(dates, code)
    for (const { id, ...dates } of windows)
      await t.db.updateTable('trackDetails').set(dates).where('id', '=', id).execute()
  })

  test('beside another one open at the same time is chosen by a link', async () => {
    const waveDates = await t.db.selectFrom('waves').select(['code', 'opensAt', 'closesAt']).execute()
    await setWaves({ closesAt: days(30) }, 'G1')
    const body = await read('/daftar')
    expect(body).toContain('Biaya dan jadwal di bawah ini berlaku untuk Gelombang 1')
    expect(body).toContain('href="/daftar?wave=G2"')
    const other = await read('/daftar?wave=G2')
    expect(other).toContain('berlaku untuk Gelombang 2')
    expect(other).toContain('href="/daftar/prodi/IF?wave=G2"')
    expect(await read('/daftar/prodi/IF?wave=G2')).toContain('<option value="G2" selected>')
    for (const { code, ...dates } of waveDates) await setWaves(dates, code)
  })

  test('while registration is closed shows neither cost nor sign-up', async () => {
    await t.db.deleteFrom('registrationOpening').execute()
    const body = await read('/daftar')
    expect(body).toContain('Pendaftaran online sedang ditutup.')
    expect(body).not.toContain('Rp ')
    expect(body).not.toContain('multi-step-sign-up')
    expect(await read('/daftar/prodi/IF?track=REG')).not.toContain('Rp ')
  })
})
