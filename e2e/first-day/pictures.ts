import fs from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { settled } from '../support/settled.ts'
import { closeBrowser } from '../support/world.ts'
import type { Camera } from './camera.ts'
import { applyAndPay, openInstallation, openUniversity } from './first-day.ts'
import { showReports } from './readme-pictures.ts'

/**
 * `npm run pictures`: retakes the pictures of docs/first-day.md from a complete first day, and the README's report
 * pictures from a demo with three seasons.
 */
const folder = path.resolve(import.meta.dirname, '../../docs/pictures')

const cameraOf =
  (width: number, maxBytes: number): Camera =>
  async (name, page) => {
    await settled(page)
    await page.evaluate(() => window.scrollTo(0, 0))
    const picture = await sharp(await page.screenshot())
      .resize({ width, withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer()
    if (picture.length > maxBytes) throw new Error(`${name} takes ${picture.length} bytes, more than ${maxBytes}`)
    fs.writeFileSync(path.join(folder, `${name}.webp`), picture)
    console.log(`docs/pictures/${name}.webp  ${Math.round(picture.length / 1000)} kB`)
  }

fs.mkdirSync(folder, { recursive: true })
await showReports(cameraOf(1280, 200_000))
const camera = cameraOf(960, 60_000)
const installation = await openInstallation()
try {
  await openUniversity(installation, camera)
  const applicant = { name: 'Sari Rekaan', email: 'sari@contoh.test', nik: '3171015708071234' }
  await applyAndPay(installation, { language: 'en', width: 1280 }, applicant, camera)
} finally {
  await installation.close()
  await closeBrowser()
}
