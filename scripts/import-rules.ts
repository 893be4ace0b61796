import fs from 'node:fs'
import path from 'node:path'

/**
 * Checks who imports whom. To rules without `types` an import of types alone is free, because it vanishes when the program
 * runs; a circle of files is refused whatever is imported.
 */
const root = path.resolve(import.meta.dirname, '..')

type Rule = {
  name: string
  from: RegExp
  except?: RegExp
  /** What may not be imported; `$1` stands for the first group of `from`. */
  to: string
  /** Counts imports of types alone as well. */
  types?: true
}

const server = 'apps/server/src'
const modules = `${server}/modules`
/** Rooms of payments, lowest first, each with the rooms it may import: the same on the server, on the web and in the domain. */
const roomsOfPayments: Record<string, readonly string[]> = {
  approvals: [],
  providers: ['approvals'],
  bills: ['approvals', 'providers'],
  money: ['approvals', 'providers', 'bills'],
  banks: ['approvals', 'providers', 'bills', 'money'],
  reconciliation: ['approvals', 'providers', 'bills', 'money', 'banks'],
}

const ruleOfRoom = ([room, below]: [string, readonly string[]]): Rule => ({
  name: `in payments ${room} may import ${below.join(', ') || 'no other room'}`,
  from: new RegExp(`^(apps/server/src/modules|apps/web/src/modules|packages/domain/src)/payments/${room}/`),
  except: isTest,
  to: `^$1/payments/(?!(${[room, ...below].join('|')})/)`,
  types: true,
})

const isTest = /(\.test\.tsx?|\.e2e\.ts)$/

const rules: readonly Rule[] = [
  { name: 'packages import no app', from: /^packages\//, except: isTest, to: '^apps/' },
  {
    name: 'entities know only themselves',
    from: /^packages\/entities\//,
    except: /(\.test\.ts|endpoints\.ts)$/,
    to: '^packages/(?!entities/)',
  },
  { name: 'the server knows nothing of the web', from: /^apps\/server\//, to: '^apps/web/' },
  { name: 'the web knows nothing of the server', from: /^apps\/web\//, except: isTest, to: '^apps/server/' },
  {
    name: 'platform is the ground everything stands on',
    from: /^apps\/server\/src\/platform\//,
    except: /(\.test\.ts|start-services\.ts)$/,
    to: `^${server}/(resource/|modules/|app\\.ts|jobs\\.ts|main\\.ts|worker\\.ts)`,
  },
  {
    name: 'the engine calls no module',
    from: /^apps\/server\/src\/resource\//,
    except: isTest,
    to: `^${modules}/`,
  },
  {
    name: 'messaging calls no other module',
    from: /^apps\/server\/src\/modules\/(messaging)\//,
    except: isTest,
    to: `^${modules}/(?!$1/)`,
  },
  {
    name: 'payments calls messaging only; the way back is an event',
    from: /^apps\/server\/src\/modules\/payments\//,
    except: isTest,
    to: `^${modules}/(?!payments/|messaging/)`,
  },
  {
    name: 'modules call each other only along admissions → payments → messaging',
    from: /^apps\/server\/src\/modules\/(accounts|applicants|outreach|whatsapp)\//,
    except: isTest,
    to: `^${modules}/(?!$1/|payments/|messaging/)`,
  },
  {
    name: 'admissions calls applicants, payments and messaging',
    from: /^apps\/server\/src\/modules\/admissions\//,
    except: isTest,
    to: `^${modules}/(?!admissions/|applicants/|payments/|messaging/)`,
  },
  {
    name: 'students and testing call admissions, payments and messaging',
    from: /^apps\/server\/src\/modules\/(students|testing)\//,
    except: isTest,
    to: `^${modules}/(?!$1/|admissions/|applicants/|payments/|messaging/)`,
  },
  {
    name: 'reports read by themselves',
    from: /^apps\/server\/src\/modules\/(reports)\//,
    except: isTest,
    to: `^${modules}/(?!$1/)`,
  },
  {
    name: 'the check of the books calls messaging only',
    from: /^apps\/server\/src\/modules\/(ops)\//,
    except: isTest,
    to: `^${modules}/(?!$1/|messaging/)`,
  },
  { name: 'ui imports nothing of ours', from: /^apps\/web\/src\/ui\//, except: isTest, to: '^apps/web/src/(?!ui/)' },
  {
    name: 'the list of staff knows no entity and no module',
    from: /^apps\/web\/src\/list\//,
    except: isTest,
    to: '^apps/web/src/(resource|modules)/',
  },
  {
    name: 'on the web only pages combine modules',
    from: /^apps\/web\/src\/modules\/([^/]+)\//,
    except: /(-page\.tsx|\.test\.tsx?|master\/extras\.tsx)$/,
    to: '^apps/web/src/modules/(?!$1/)',
  },
  ...Object.entries(roomsOfPayments).map(ruleOfRoom),
  { name: 'tests stay out of the program', from: /^apps\/server\/src\//, except: isTest, to: '^apps/server/test/' },
]

const homes: Record<string, string> = {
  '#domain/': 'packages/domain/src/',
  '#entities/': 'packages/entities/src/',
  '#locales/': 'packages/locales/src/',
  '#server/': 'apps/server/src/',
  '#server-test/': 'apps/server/test/',
  '#web/': 'apps/web/src/',
  '#web-test/': 'apps/web/test/',
  '#seeds/': 'apps/server/seeds/',
}

function sources(folder: string): string[] {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'dist' || entry.name === 'node_modules' ? [] : sources(file)
    return /\.tsx?$/.test(entry.name) ? [file] : []
  })
}

/** `import … from 'x'`, `export … from 'x'`, `import 'x'` and `import('x')`; the first group is `type` for those of types. */
const statement = /^\s*(?:import|export)\s+(type\b)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm

type Import = { file: string; ofTypes: boolean }

function importsOf(file: string): Import[] {
  const text = fs.readFileSync(path.join(root, file), 'utf8')
  return [...text.matchAll(statement)].flatMap(([, type, stated, lazy]) => {
    const ofTypes = type !== undefined
    const name = (stated ?? lazy)!
    if (name.startsWith('../'))
      problems.push(`${file} imports '${name}': outside its folder a file is named by its alias`)
    if (name.startsWith('.')) return { file: path.posix.normalize(`${path.posix.dirname(file)}/${name}`), ofTypes }
    const home = Object.keys(homes).find((prefix) => name.startsWith(prefix))
    return home ? { file: homes[home] + name.slice(home.length), ofTypes } : []
  })
}

const problems: string[] = []
const graph = new Map(['apps', 'packages'].flatMap(sources).map((file) => [file, importsOf(file)]))

for (const [file, imports] of graph)
  for (const rule of rules) {
    const match = rule.from.exec(file)
    if (!match || rule.except?.test(file)) continue
    const forbidden = new RegExp(rule.to.replaceAll('$1', match[1] ?? ''))
    for (const target of imports)
      if ((rule.types || !target.ofTypes) && forbidden.test(target.file))
        problems.push(`${file} imports ${target.file}: ${rule.name}`)
  }

/** Depth first; a file met again while it is still open closes a circle. Imports of types count like all others. */
const open: string[] = []
const done = new Set<string>()
function visit(file: string) {
  if (done.has(file)) return
  const start = open.indexOf(file)
  if (start >= 0) {
    problems.push(`circle: ${[...open.slice(start), file].join(' → ')}`)
    return
  }
  open.push(file)
  for (const target of graph.get(file) ?? []) visit(target.file)
  open.pop()
  done.add(file)
}
for (const file of graph.keys()) visit(file)

if (graph.size < 50) problems.push(`only ${graph.size} files were read`)
if (problems.length > 0) {
  console.error([...new Set(problems)].join('\n'))
  process.exitCode = 1
}
