import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultRoles } from '#domain/access/roles.ts'
import { pages } from './pages.ts'

const folder = import.meta.dirname
const web = path.resolve(folder, '../..')
const source = fs
  .readdirSync(folder)
  .filter((file) => file.endsWith('-page.tsx'))
  .map((file) => fs.readFileSync(path.join(folder, file), 'utf8'))
  .join('\n')

describe('the style guide', () => {
  const named = [...source.matchAll(/code="<(\w+)>" file="([^"]+\.tsx)"/g)].map(([, code, file]) => [file!, code!])

  it('names parts that their files export', () => {
    expect(named.length).toBeGreaterThan(15)
    for (const [file, code] of named)
      expect(fs.readFileSync(path.join(web, file!), 'utf8')).toMatch(new RegExp(`export (function|const) ${code}\\b`))
  })

  it("is in no default role's menu except Administrator's", () => {
    const entries = pages.flatMap(({ menu }) => menu ?? [])
    expect(entries.length).toBeGreaterThan(5)
    for (const { under, permission } of entries) {
      expect(under).toBe('style-guide')
      const holders = defaultRoles.filter(({ permissions }) => permissions.includes(permission!))
      expect(holders.map(({ name }) => name)).toEqual(['Administrator'])
    }
  })
  it('highlights a menu entry on each of its pages', () => {
    const entries = pages.filter(({ menu }) => menu).map(({ path }) => path)
    for (const { path, breadcrumbs } of pages) {
      const above = breadcrumbs.flatMap((crumb) => crumb.path ?? [])
      expect(
        entries.filter((entry) => entry === path || above.includes(entry)),
        path,
      ).toHaveLength(1)
    }
  })
})
