import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { builtWeb } from './web-build.ts'

/** Counts how often a new process looks for built pages: with all modules of the server, and when it asks for them. */
const program = (file: string) => `
  import fs from 'node:fs'
  let looks = 0
  for (const name of ['readFileSync', 'existsSync']) {
    const original = fs[name]
    fs[name] = (place, ...rest) => {
      if (String(place).startsWith(${JSON.stringify(builtWeb)})) looks++
      return original(place, ...rest)
    }
  }
  await import(${JSON.stringify(file)})
  const { webBuild } = await import(${JSON.stringify(path.join(import.meta.dirname, 'web-build.ts'))})
  const atImport = looks
  webBuild()
  console.log(JSON.stringify([atImport, looks - atImport]))
  process.exit()`

test('the built pages are not looked for with the first import, because a first start builds them meanwhile', () => {
  const server = path.join(import.meta.dirname, '../../server.ts')
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program(server)], {
    encoding: 'utf8',
  })
  const [atImport, whenAsked] = JSON.parse(output) as number[]
  expect(atImport).toBe(0)
  expect(whenAsked).toBeGreaterThan(0)
})

test('a server that is ready before its pages shows them, and then the drawn forms, as soon as they exist', () => {
  const files = {
    'index.html': '<html lang="en"><head><title>App</title></head><body><div id="root"></div></body></html>',
    'survey.html': '<html><head></head><body>survey</body></html>',
  }
  const firstPages = { 'first-page.json': JSON.stringify({ en: { title: 'Sign in', html: '<form></form>' } }) }
  const output = execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `
  import fs from 'node:fs'
  let files = {}
  const contentOf = (place) => files[String(place).slice(${builtWeb.length + 1})]
  for (const name of ['readFileSync', 'existsSync']) {
    const original = fs[name]
    fs[name] = (place, ...rest) => {
      if (!String(place).startsWith(${JSON.stringify(builtWeb)})) return original(place, ...rest)
      return name === 'existsSync' ? contentOf(place) !== undefined : contentOf(place)
    }
  }
  const { default: fastify } = await import('fastify')
  const { webBuild } = await import(${JSON.stringify(path.join(import.meta.dirname, 'web-build.ts'))})
  const { webPages } = await import(${JSON.stringify(path.join(import.meta.dirname, 'web.ts'))})
  const log = { warn() {} }
  const app = fastify()
  await app.register(webPages({ config: { publicUrl: 'http://localhost' }, log }, []))
  await app.ready()
  const shows = async (url) => (await app.inject({ url })).body
  const seen = [await shows('/sign-up')]
  files = ${JSON.stringify(files)}
  seen.push(await shows('/sign-up'), await shows('/survei/x'), Object.keys(webBuild().firstPages))
  files = { ...files, ...${JSON.stringify(firstPages)} }
  seen.push(Object.keys(webBuild().firstPages))
  console.log(JSON.stringify(seen))
  process.exit()`,
    ],
    { encoding: 'utf8' },
  )
  const [early, app, survey, undrawn, forms] = JSON.parse(output)
  expect(early).toContain('not built yet')
  expect(app).toContain('<title>App</title>')
  expect(survey).toContain('survey')
  expect(undrawn).toEqual([])
  expect(forms).toEqual(['en'])
})
