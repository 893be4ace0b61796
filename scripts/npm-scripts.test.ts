import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

test.each(Object.entries(scripts))('npm run %s installs what is missing before it begins', (_name, command) => {
  const entry = /^node (scripts\/[\w-]+\.mjs)( |$)/.exec(command)?.[1]
  expect(entry).toBeDefined()
  expect(fs.readFileSync(path.join(root, entry!), 'utf8')).toContain('await install()')
})
